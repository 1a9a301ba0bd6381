import { stripVTControlCharacters } from 'node:util';

/**
 * A bot's end as one plain line, with the reason of its last traceback; a signal is reason enough.
 * @param {string} name
 * @param {{ code: number | null, signal: string | null, stderr: string }} end
 */
export function endOf(name, { code, signal, stderr }) {
  const lines = stripVTControlCharacters(stderr)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '');
  // An exception's line begins at the margin with its class: "RuntimeError: ...", "aiohttp.X: ...".
  const reason = lines.findLast((line) => /^[\w.]*(?:Error|Exception|Exit)\b/.test(line));
  const why = signal === null && reason !== undefined ? `: ${reason.slice(0, 200).trim()}` : '';
  return `The demo bot on ${name} ended (${signal ?? code}) and is started again in 5 s${why}`;
}
