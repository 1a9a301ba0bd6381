import { INGEST_PATH, LIMITS, SDK_NAMES } from '@bot-analytics/protocol';
import type { AnalyticsOptions, Collect, Logger } from '../api/options.ts';
import { cutToChars } from '../event/text.ts';

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

const OTHERS = [
  'apiKey',
  'endpoint',
  'clusterId',
  'collect',
  'beforeSend',
  'onDrop',
  'onStateChange',
  'logger',
  'send',
] as const;

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(RANGES),
  ...Object.keys(SWITCHES),
  ...OTHERS,
]);

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
  const options: AnalyticsOptions = typeof given === 'object' && given !== null ? given : {};
  for (const name of Object.keys(options)) {
    if (!KNOWN.has(name)) warn(`unknown option \`${cutToChars(name, TEXT_SHOWN_CHARS)}\``);
  }
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
  if (typeof given !== 'object' || given === null || !('logger' in given)) return null;
  const { logger } = given;
  return isLogger(logger) ? logger : null;
}

function isLogger(value: unknown): value is Logger {
  return (
    typeof value === 'object' &&
    value !== null &&
    'warn' in value &&
    typeof value.warn === 'function' &&
    'debug' in value &&
    typeof value.debug === 'function'
  );
}

type Warn = (message: string) => void;

function readNumber(options: AnalyticsOptions, name: keyof typeof RANGES, warn: Warn): number {
  const { min, max, fallback } = RANGES[name];
  const value: unknown = options[name];
  if (value === undefined) return fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  warn(
    `expected \`${name}\` to be a whole number from ${min} to ${max}, got ${show(value)}; using ${fallback}`,
  );
  return fallback;
}

function readSwitch(options: AnalyticsOptions, name: keyof typeof SWITCHES, warn: Warn): boolean {
  const value: unknown = options[name];
  if (value === undefined) return SWITCHES[name];
  if (typeof value === 'boolean') return value;
  warn(`expected \`${name}\` to be true or false, got ${show(value)}; using ${SWITCHES[name]}`);
  return SWITCHES[name];
}

function readCollect(given: unknown, warn: Warn): Required<Collect> {
  if (given === undefined) return COLLECT_ALL;
  if (typeof given !== 'object' || given === null) {
    warn(`expected \`collect\` to be an object, got ${show(given)}; collecting everything`);
    return COLLECT_ALL;
  }
  const read = { ...COLLECT_ALL } as Record<keyof Collect, boolean>;
  for (const [name, value] of Object.entries(given)) {
    if (!isCollectKey(name))
      warn(`unknown option \`collect.${cutToChars(name, TEXT_SHOWN_CHARS)}\``);
    else if (typeof value === 'boolean') read[name] = value;
    else warn(`expected \`collect.${name}\` to be true or false, got ${show(value)}; using true`);
  }
  return read;
}

function isCollectKey(name: string): name is keyof Collect {
  return Object.hasOwn(COLLECT_ALL, name);
}

function readCluster(given: unknown, warn: Warn): string | null {
  if (given === undefined || given === null) return null;
  const text = typeof given === 'number' ? String(given) : given;
  if (typeof text === 'string' && text.length > 0 && cutToChars(text, CLUSTER_CHARS_MAX) === text) {
    return text;
  }
  warn(
    `expected \`clusterId\` to be 1 to ${CLUSTER_CHARS_MAX} characters, got ${show(given)}; using none`,
  );
  return null;
}

function readKey(options: AnalyticsOptions, variables: Variables, warn: Warn): string | null {
  const value: unknown = options.apiKey ?? variables['BOT_ANALYTICS_API_KEY'];
  if (typeof value === 'string' && KEY.test(value.trim())) return value.trim();
  // The value itself stays out of the warning: it may be most of a key.
  const fault = value === undefined || value === '' ? 'is missing' : 'is not a key';
  warn(`\`apiKey\` ${fault}; set it or BOT_ANALYTICS_API_KEY. Nothing is collected`);
  return null;
}

function readUrl(options: AnalyticsOptions, variables: Variables, warn: Warn): string | null {
  const value: unknown = options.endpoint ?? variables['BOT_ANALYTICS_ENDPOINT'];
  const url = typeof value === 'string' ? ingestUrl(value.trim()) : null;
  if (url !== null) return url;
  const fault =
    value === undefined || value === '' ? 'is missing' : 'is not an http or https address';
  warn(`\`endpoint\` ${fault}; set it or BOT_ANALYTICS_ENDPOINT. Nothing is collected`);
  return null;
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
