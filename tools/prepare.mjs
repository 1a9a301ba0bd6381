import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, say } from './run.mjs';

/** Virtual environments of the Python tests: the newest and the oldest supported discord.py. */
export const PYTHON = join(root, '.venv/bin/python');
export const PYTHON_OLDEST = join(root, '.venv-oldest/bin/python');
export const CHROMIUM = '/usr/bin/chromium';

/** Installs npm packages when the lock file names one that is not there. */
export async function installPackages() {
  if (packagesAreInstalled()) return;
  say('Installing npm packages (about half a minute, once) ...');
  // Not `npm ci`: it refuses a lock file without the binaries of every other platform, which a
  // registry mirror may not have. `--no-save` installs what the lock file says and leaves it alone.
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...flags], { quiet: true });
}

function packagesAreInstalled() {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) =>
      !path.includes('node_modules/') || optional || link || present[path]?.version === version,
  );
}

/**
 * What is built, from what, in order. `inputs` are folders and files below the root; a target is
 * stale when any of them changed since it was built.
 */
const SHARED = ['tsconfig.base.json', 'package-lock.json'];
const TARGETS = [
  {
    name: 'protocol, engine, server, cli, chat-sim',
    inputs: [
      'protocol/src',
      'engine/src',
      'server/src',
      'sdk-js/src',
      'cli/src',
      'chat-sim/src',
      'chat-sim/bots',
      'tsconfig.json',
      ...SHARED,
    ],
    output: 'server/dist/main.js',
    command: ['node', ['node_modules/typescript/bin/tsc', '-b']],
  },
  {
    name: 'sdk-js',
    inputs: ['protocol/src', 'sdk-js/src', 'sdk-js/package.json', 'sdk-js/build', ...SHARED],
    output: 'sdk-js/dist/index.js',
    command: ['npm', ['run', '-s', 'build', '-w', '@vendor/chat.js']],
  },
  {
    name: 'web',
    inputs: [
      'protocol/src',
      'web/src',
      'web/public',
      'web/index.html',
      'web/public.html',
      'web/package.json',
      'web/vite.config.ts',
      ...SHARED,
    ],
    output: 'web/dist/index.html',
    command: ['npm', ['run', '-s', 'build', '-w', '@bot-analytics/web']],
  },
];

/** Builds what is stale. */
export async function build() {
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  for (const { name, inputs, output, command } of TARGETS) {
    const stamp = join(cache, `built-${name.replaceAll(/[^a-z-]+/g, '_')}`);
    const fingerprint = fingerprintOf(inputs);
    if (existsSync(join(root, output)) && read(stamp) === fingerprint) continue;
    say(`Building ${name} ...`);
    await run(...command, { quiet: true });
    writeFileSync(stamp, fingerprint);
  }
}

/** Makes the virtual environments of the Python SDK and its tests. */
export async function installPython() {
  await virtualEnvironment('.venv', ['sdk-py/requirements-dev.txt']);
  await virtualEnvironment('.venv-oldest', ['sdk-py/requirements-oldest.txt']);
}

/**
 * Makes one virtual environment with the packages of its requirement files and the SDK itself.
 * `extra` names an optional set of the SDK's own requirements.
 */
export async function virtualEnvironment(folder, requirements, extra = '') {
  const stamp = join(root, folder, '.installed');
  const wanted = [...requirements, 'sdk-py/pyproject.toml']
    .map((file) => read(join(root, file)))
    .join('\0');
  const hash = createHash('sha256').update(wanted).digest('hex');
  if (read(stamp) === hash) return;
  say(`Installing Python packages into ${folder} (about half a minute, once) ...`);
  await run('python3', ['-m', 'venv', folder], { quiet: true });
  const python = join(root, folder, 'bin/python');
  const files = requirements.flatMap((file) => ['-r', file]);
  await run(
    python,
    [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      ...files,
      '-e',
      `sdk-py${extra}`,
    ],
    {
      quiet: true,
    },
  );
  writeFileSync(stamp, hash);
}

/** Installs Debian's Chromium, for the tests of the pages. */
export async function installChromium() {
  if (existsSync(CHROMIUM)) return;
  if (process.getuid?.() !== 0) {
    throw new Error(
      `${CHROMIUM} is missing: install Debian's package chromium (apt-get install chromium).`,
    );
  }
  say('Installing Chromium (about a minute, once) ...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { quiet: true, env });
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], {
    quiet: true,
    env,
  });
}

function fingerprintOf(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) addTo(hash, join(root, input));
  return hash.digest('hex');
}

function addTo(hash, path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) {
    hash.update(`${path.slice(root.length)}\0`).update(readFileSync(path));
    return;
  }
  for (const name of readdirSync(path).toSorted()) addTo(hash, join(path, name));
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
