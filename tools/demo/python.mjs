import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PYTHON, virtualEnvironment } from '../prepare.mjs';
import { root, say } from '../run.mjs';

/**
 * A Python that has discord.py and the SDK: the one of the tests if it is there, else one of its own.
 * @returns {Promise<string | null>} null when this machine cannot have one
 */
export async function demoPython() {
  if (existsSync(join(root, '.venv/.installed'))) return PYTHON;
  try {
    await virtualEnvironment('.venv-demo', [], '[discord]');
    return join(root, '.venv-demo/bin/python');
  } catch (error) {
    say(
      `The demo runs without the bot on discord.py: it needs Python 3.10 or newer with venv and pip.`,
    );
    say(error.message.trim().split('\n').at(-1));
    return null;
  }
}
