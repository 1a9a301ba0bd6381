import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, parseJson } from '../json.ts';
import { readBody } from '../rest/body.ts';
import type { ChatSim } from '../sim.ts';
import { PlatformError } from '../world/errors.ts';
import { COMMANDS } from './commands.ts';
import { resultText, worldView } from './views.ts';

const VIEWS: ReadonlyMap<string, (sim: ChatSim) => unknown> = new Map([
  ['world', worldView],
  ['ledger', (sim: ChatSim) => sim.ledger()],
  ['interactions', (sim: ChatSim) => sim.interactions()],
  ['sessions', (sim: ChatSim) => sim.gateway.sessions()],
]);

/** Answers `/_sim/...`: views with GET, commands with POST; JSON in, JSON out. */
export async function handleControl(
  sim: ChatSim,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const name = path.replace(/^\/_sim\/?/, '');
  const view = request.method === 'GET' ? VIEWS.get(name) : undefined;
  if (view !== undefined) return answer(response, 200, view(sim));
  const command = request.method === 'POST' ? COMMANDS.get(name) : undefined;
  if (command === undefined) {
    return answer(response, 404, { error: `No ${request.method ?? ''} /_sim/${name}.` });
  }
  const text = (await readBody(request))?.toString('utf8') ?? '';
  const input = text === '' ? {} : parseJson(text);
  if (!isObject(input)) return answer(response, 400, { error: 'Expected a JSON object.' });
  try {
    answer(response, 200, await command(sim, input));
  } catch (error) {
    const status = error instanceof PlatformError ? error.status : 400;
    answer(response, status, { error: error instanceof Error ? error.message : String(error) });
  }
}

function answer(response: ServerResponse, status: number, result: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(resultText(result));
}
