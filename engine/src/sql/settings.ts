import { raise } from './exception.ts';

/** One setting's default in a session and the most that a request may ask for; 0 means no limit. */
interface Bound {
  readonly initial: number;
  readonly ceiling: number;
}

/**
 * Limits of a reader session. Seconds, bytes, threads.
 * 5 s: design.md 4. 60 s is for exports that ask for it. 32 MiB of columns is at most about 100 MiB of
 * JSON, which a whole-buffer answer holds twice for a moment.
 */
const READER_BOUNDS = {
  max_execution_time: { initial: 5, ceiling: 60 },
  max_memory_usage: { initial: 536_870_912, ceiling: 1_073_741_824 },
  max_bytes_before_external_group_by: { initial: 268_435_456, ceiling: 536_870_912 },
  max_bytes_before_external_sort: { initial: 268_435_456, ceiling: 536_870_912 },
  max_result_bytes: { initial: 33_554_432, ceiling: 268_435_456 },
} as const satisfies Record<string, Bound>;

/** A streamed answer is never held whole, so its bound is the ceiling. */
const STREAM_RESULT_BYTES = READER_BOUNDS.max_result_bytes.ceiling;

/** In every session. Spec of figures: design.md 4 (64-bit numbers quoted, acknowledge after commit). */
const COMMON = {
  output_format_json_quote_64bit_integers: '1',
  async_insert: '0',
} as const satisfies Record<string, string>;

/** Words of the HTTP interface itself: nothing for the session, harmless to leave out here. */
const TRANSPORT_WORDS: ReadonlySet<string> = new Set([
  'query',
  'database',
  'default_format',
  'query_id',
  'readonly',
  'user',
  'password',
  'role',
  'quota_key',
  'stacktrace',
  'buffer_size',
  'wait_end_of_query',
  'enable_http_compression',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_zlib_compression_level',
  'http_write_exception_in_output_format',
  'cancel_http_readonly_queries_on_client_close',
]);

const UNSUPPORTED: Readonly<Record<string, string>> = {
  session_id: 'Sessions are not supported: every request stands alone',
  session_timeout: 'Sessions are not supported: every request stands alone',
  session_check: 'Sessions are not supported: every request stands alone',
  compress: "ClickHouse's own block compression is not supported",
  decompress: "ClickHouse's own block compression is not supported",
};

/** Would take back what the engine promises: an answered insert is on disk. */
const FIXED: Readonly<Record<string, string>> = { async_insert: '0' };

export type Mode = 'writer' | 'reader' | 'stream';

function boundOf(name: string): Bound | undefined {
  const bounds: Readonly<Record<string, Bound>> = READER_BOUNDS;
  return Object.hasOwn(bounds, name) ? bounds[name] : undefined;
}

function checkReaderBound(name: string, value: string): void {
  const bound = boundOf(name);
  if (bound === undefined) return;
  const asked = Number(value);
  if (asked > 0 && asked <= bound.ceiling) return;
  throw raise(
    'SETTING_CONSTRAINT_VIOLATION',
    `Setting ${name} must be above 0 and at most ${bound.ceiling} here, got ${value}`,
  );
}

/** The settings in a request's URL, checked. `known` holds every name in system.settings. */
export function requestSettings(
  query: URLSearchParams,
  mode: Mode,
  known: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  for (const [name, value] of query) {
    if (name.startsWith('param_') || TRANSPORT_WORDS.has(name)) continue;
    const refusal = Object.hasOwn(UNSUPPORTED, name) ? UNSUPPORTED[name] : undefined;
    if (refusal !== undefined) {
      if (value === '0') continue;
      throw raise('NOT_IMPLEMENTED', `${name}: ${refusal}`);
    }
    if (!known.has(name)) throw raise('UNKNOWN_SETTING', `Unknown setting '${name}'`);
    if (value.includes('\0')) throw raise('BAD_ARGUMENTS', `Setting ${name} contains a NUL`);
    const fixed = Object.hasOwn(FIXED, name) ? FIXED[name] : undefined;
    if (fixed !== undefined && value !== fixed) {
      throw raise('SETTING_CONSTRAINT_VIOLATION', `Setting ${name} is always ${fixed} here`);
    }
    if (mode !== 'writer') checkReaderBound(name, value);
    settings.set(name, value);
  }
  return settings;
}

/**
 * Connection arguments of a session: fixed at connect, so nothing sticks from one request to the next
 * and `readonly` covers every later change. Same settings, same list.
 */
export function connectionArgs(
  mode: Mode,
  settings: ReadonlyMap<string, string>,
): readonly string[] {
  const all = new Map<string, string>(Object.entries(COMMON));
  if (mode !== 'writer') {
    for (const [name, bound] of Object.entries(READER_BOUNDS)) all.set(name, `${bound.initial}`);
  }
  if (mode === 'stream') all.set('max_result_bytes', `${STREAM_RESULT_BYTES}`);
  for (const [name, value] of settings) all.set(name, value);
  if (mode !== 'writer') all.set('readonly', '1');
  return [...all]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `--${name}=${value}`);
}
