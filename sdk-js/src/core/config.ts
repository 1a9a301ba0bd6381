import { INGEST_PATH, LIMITS, SDK_NAMES } from '@bot-analytics/protocol';
import type { AnalyticsOptions, Collect, Logger } from '../api/options.ts';
import { cutToChars } from '../event/text.ts';
import { integer, isObject, prop } from './read.ts';

/** Version of this package; a test compares it with package.json. */
export const SDK_VERSION = '0.5.0';

/** Checked options. */
export interface Config {
  /** False: no usable key or address, or `enabled: false`. */
  readonly usable: boolean;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly flushIntervalMs: number;
  readonly snapshotIntervalMs: number;
  readonly requestTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
  readonly clusterId: string | null;
  readonly handleSignals: boolean;
  readonly captureUnhandledRejections: boolean;
  readonly collect: Required<Collect>;
  readonly debug: boolean;
}

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

interface Range {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/** Whole numbers, ms. */
const RANGES = {
  flushIntervalMs: { min: 100, max: 3_600_000, fallback: LIMITS.flushIntervalMs },
  snapshotIntervalMs: { min: 1_000, max: 3_600_000, fallback: LIMITS.snapshotIntervalMs },
  requestTimeoutMs: { min: 1_000, max: 30_000, fallback: LIMITS.requestTimeoutMs },
  shutdownTimeoutMs: { min: 100, max: 60_000, fallback: LIMITS.shutdownTimeoutMs },
} as const satisfies Record<string, Range>;

const COLLECT_ALL = { interactions: true, actions: true, gateway: true, snapshots: true } as const;

const SWITCHES = {
  handleSignals: true,
  captureUnhandledRejections: true,
  debug: false,
  enabled: true,
} as const;

/** Names of all options. */
const KNOWN = {
  ...RANGES,
  ...SWITCHES,
  apiKey: 0,
  endpoint: 0,
  clusterId: 0,
  collect: 0,
  beforeSend: 0,
  onDrop: 0,
  onStateChange: 0,
  logger: 0,
  send: 0,
} as const satisfies Record<keyof AnalyticsOptions, unknown>;

const CLUSTER_CHARS_MAX = 100;
const TEXT_SHOWN_CHARS = 40;
/** Visible ASCII: what a header can carry. A key with a line break would forge headers. */
const KEY = /^[!-~]{1,512}$/;

/**
 * Checks the options. Never throws: each fault is one warning with the expected range, and the
 * default is used; without a usable key or address everything is a no-op.
 */
export function readConfig(
  given: unknown,
  variables: Variables,
  warn: (message: string) => void,
): Config {
  const options: AnalyticsOptions = isObject(given) ? given : {};
  warnUnknown(options, KNOWN, warn);
  const enabled = readSwitch(options, 'enabled', warn);
  const apiKey = enabled ? readKey(options, variables, warn) : null;
  const url = apiKey === null ? null : readUrl(options, variables, warn);
  return {
    usable: apiKey !== null && url !== null,
    url: url ?? '',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${apiKey ?? ''}`,
      'User-Agent': `${SDK_NAMES.js}/${SDK_VERSION}`,
    },
    flushIntervalMs: readNumber(options, 'flushIntervalMs', warn),
    snapshotIntervalMs: readNumber(options, 'snapshotIntervalMs', warn),
    requestTimeoutMs: readNumber(options, 'requestTimeoutMs', warn),
    shutdownTimeoutMs: readNumber(options, 'shutdownTimeoutMs', warn),
    clusterId: readCluster(options.clusterId, warn),
    handleSignals: readSwitch(options, 'handleSignals', warn),
    captureUnhandledRejections: readSwitch(options, 'captureUnhandledRejections', warn),
    collect: readCollect(options.collect, warn),
    debug: readSwitch(options, 'debug', warn),
  };
}

/** The logger of the options when it has both methods, else null. */
export function readLogger(given: unknown): Logger | null {
  const logger = prop(given, 'logger');
  const fits = ['warn', 'debug'].every((name) => typeof prop(logger, name) === 'function');
  return fits ? (logger as Logger) : null;
}

type Warn = (message: string) => void;

/** What an option has to be. */
interface Expected<T> {
  readonly name: string;
  readonly value: unknown;
  readonly holds: (value: unknown) => boolean;
  /** For the warning: `true or false`. */
  readonly form: string;
  readonly fallback: T;
}

function checked<T>({ name, value, holds, form, fallback }: Expected<T>, warn: Warn): T {
  if (value === undefined) return fallback;
  // The test of the caller tells the type.
  if (holds(value)) return value as T;
  warn(`expected \`${name}\` to be ${form}, got ${show(value)}; using ${String(fallback)}`);
  return fallback;
}

function readNumber(options: AnalyticsOptions, name: keyof typeof RANGES, warn: Warn): number {
  const { min, max, fallback } = RANGES[name];
  const form = `a whole number from ${min} to ${max}`;
  const holds = (value: unknown): boolean => {
    const number = integer(value) ?? Number.NaN;
    return number >= min && number <= max;
  };
  return checked({ name, value: options[name], holds, form, fallback }, warn);
}

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

function readSwitch(options: AnalyticsOptions, name: keyof typeof SWITCHES, warn: Warn): boolean {
  const fallback: boolean = SWITCHES[name];
  const value = options[name];
  return checked({ name, value, holds: isBoolean, form: 'true or false', fallback }, warn);
}

function readCollect(value: unknown, warn: Warn): Required<Collect> {
  const name = 'collect';
  const given: object = checked(
    { name, value, holds: isObject, form: 'an object', fallback: COLLECT_ALL },
    warn,
  );
  warnUnknown(given, COLLECT_ALL, warn, 'collect.');
  const read = (key: keyof Collect): boolean => {
    const expected = { name: `collect.${key}`, form: 'true or false', fallback: true };
    return checked({ ...expected, value: prop(given, key), holds: isBoolean }, warn);
  };
  return {
    interactions: read('interactions'),
    actions: read('actions'),
    gateway: read('gateway'),
    snapshots: read('snapshots'),
  };
}

function warnUnknown(given: object, known: object, warn: Warn, prefix = ''): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    warn(`unknown option \`${prefix}${cutToChars(name, TEXT_SHOWN_CHARS)}\``);
  }
}

function readCluster(given: unknown, warn: Warn): string | null {
  const value = typeof given === 'number' ? `${given}` : (given ?? undefined);
  const holds = (text: unknown): boolean =>
    typeof text === 'string' && text !== '' && cutToChars(text, CLUSTER_CHARS_MAX) === text;
  const form = `1 to ${CLUSTER_CHARS_MAX} characters`;
  return checked<string | null>({ name: 'clusterId', value, holds, form, fallback: null }, warn);
}

/** An option or its variable, trimmed and in its final form; null with a warning. */
function readText(
  source: {
    readonly name: 'apiKey' | 'endpoint';
    readonly value: unknown;
    readonly variable: string;
  },
  final: (text: string) => string | null,
  warn: Warn,
): string | null {
  const { name, value, variable } = source;
  const read = typeof value === 'string' ? final(value.trim()) : null;
  // The value itself stays out of the warning: it may be most of a key.
  const fault = value === undefined || value === '' ? 'missing' : 'not usable';
  if (read === null) {
    warn(`\`${name}\` is ${fault}; set it or ${variable}. Nothing is collected`);
  }
  return read;
}

function readKey(options: AnalyticsOptions, variables: Variables, warn: Warn): string | null {
  const variable = 'BOT_ANALYTICS_API_KEY';
  const value = options.apiKey ?? variables[variable];
  return readText({ name: 'apiKey', value, variable }, (key) => (KEY.test(key) ? key : null), warn);
}

function readUrl(options: AnalyticsOptions, variables: Variables, warn: Warn): string | null {
  const variable = 'BOT_ANALYTICS_ENDPOINT';
  const value = options.endpoint ?? variables[variable];
  return readText({ name: 'endpoint', value, variable }, ingestUrl, warn);
}

/** `{endpoint}/v1/events` without doubled slashes; null when the endpoint is no usable address. */
export function ingestUrl(endpoint: string): string | null {
  if (!URL.canParse(endpoint)) return null;
  const url = new URL(endpoint);
  const web = url.protocol === 'http:' || url.protocol === 'https:';
  // Credentials would end up in logs; a query cannot precede a path.
  if (!web || url.username !== '' || url.password !== '') return null;
  const base = url.pathname.replace(/\/+$/, '');
  const path = base.endsWith(INGEST_PATH) ? base : `${base}${INGEST_PATH}`;
  return `${url.origin}${path}`;
}

function show(value: unknown): string {
  if (typeof value === 'string') return `"${cutToChars(value, TEXT_SHOWN_CHARS)}" (string)`;
  if (typeof value === 'number' || typeof value === 'boolean') return `${value} (${typeof value})`;
  return value === null ? 'null' : typeof value;
}
