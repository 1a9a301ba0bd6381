import { INGEST_PATH, LIMITS, SDK_NAMES } from '@bot-analytics/protocol';
import type { AnalyticsOptions, Collect } from '../api/options.ts';
import { describeError } from '../collect/errors.ts';
import { cutToChars } from '../event/text.ts';
import { isObject, prop, text } from './read.ts';

/** Version of this package; a test compares it with package.json. */
export const SDK_VERSION = '0.5.0';

type Given<Name extends keyof AnalyticsOptions> = {
  readonly [N in Name]: AnalyticsOptions[N] | undefined;
};

/** Checked options. Those without a default are as given, or undefined. */
export interface Config extends Given<
  'beforeSend' | 'onDrop' | 'onStateChange' | 'logger' | 'send'
> {
  /** `{endpoint}/v1/events`; empty without a usable key or address, and with `enabled: false`. */
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
  /** What is wrong with the options, a line each. */
  readonly faults: readonly string[];
}

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What an option has to be: in words for the warning, as a test; and its default. */
type Rule = readonly [
  form: string,
  holds: (value: unknown) => boolean,
  fallback?: number | boolean,
];
type Rules<Options> = Readonly<Record<keyof Options, Rule>>;

/** A whole number from `min` to `max`. */
export function range(min: number, max: number, fallback: number): Rule {
  const holds = (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  return [`a whole number from ${min} to ${max}`, holds, fallback];
}

function flag(fallback: boolean): Rule {
  return ['true or false', (value) => typeof value === 'boolean', fallback];
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const HOOK: Rule = ['a function', isFunction];
/** Read by a function of their own, since they may come from the environment. */
const ADDRESS: Rule = ['', () => true];

const OPTIONS: Rules<AnalyticsOptions> = {
  apiKey: ADDRESS,
  endpoint: ADDRESS,
  flushIntervalMs: range(100, 3_600_000, LIMITS.flushIntervalMs),
  snapshotIntervalMs: range(1_000, 3_600_000, LIMITS.snapshotIntervalMs),
  requestTimeoutMs: range(1_000, 30_000, LIMITS.requestTimeoutMs),
  shutdownTimeoutMs: range(100, 60_000, LIMITS.shutdownTimeoutMs),
  clusterId: [
    '1 to 100 characters',
    (value) =>
      value === null || typeof value === 'number' || /^.{1,100}$/su.test(text(value) ?? ''),
  ],
  handleSignals: flag(true),
  captureUnhandledRejections: flag(true),
  collect: ['an object', isObject],
  beforeSend: HOOK,
  onDrop: HOOK,
  onStateChange: HOOK,
  logger: [
    'an object with `warn` and `debug`',
    (value) => isFunction(prop(value, 'warn')) && isFunction(prop(value, 'debug')),
  ],
  debug: flag(false),
  enabled: flag(true),
  send: HOOK,
};

const COLLECT: Rules<Collect> = {
  interactions: flag(true),
  actions: flag(true),
  gateway: flag(true),
  snapshots: flag(true),
};

const TEXT_SHOWN_CHARS = 40;
/** Visible ASCII: what a header can carry. A key with a line break would forge headers. */
const KEY = /^[!-~]{1,512}$/;

/**
 * Checks the options. Never throws: each fault is one line with the expected range and the default
 * that is used; without a usable key or address everything is a no-op.
 */
export function readConfig(given: unknown, variables: Variables): Config {
  const faults: string[] = [];
  const warn = (message: string): void => void faults.push(message);
  const options = readOptions(given, OPTIONS, warn);
  const required = (
    name: 'apiKey' | 'endpoint',
    variable: string,
    final: (text: string) => string | undefined,
  ): string | undefined => {
    const value = options[name] ?? variables[variable];
    const read = final((text(value) ?? '').trim());
    // The value itself stays out of the line: it may be most of a key.
    const fault = value ? 'not usable' : 'missing';
    if (!read) warn(`\`${name}\` is ${fault}; set it or ${variable}. Nothing is collected`);
    return read;
  };
  const key =
    options.enabled === true &&
    required('apiKey', 'BOT_ANALYTICS_API_KEY', (it) => KEY.exec(it)?.[0]);
  const url = key && required('endpoint', 'BOT_ANALYTICS_ENDPOINT', ingestUrl);
  return {
    // The rules above tell the types.
    ...(options as unknown as Config),
    clusterId: options.clusterId?.toString() ?? null,
    collect: readOptions<Required<Collect>>(options.collect, COLLECT, warn, 'collect.'),
    url: url || '',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${key}`,
      'User-Agent': `${SDK_NAMES.js}/${SDK_VERSION}`,
    },
    faults,
  };
}

type Warn = (message: string) => void;

function readOptions<Options>(
  given: unknown,
  rules: Rules<Options>,
  warn: Warn,
  prefix = '',
): Options {
  for (const name of isObject(given) ? Object.keys(given) : []) {
    if (!Object.hasOwn(rules, name)) warn(`unknown option \`${prefix}${name}\``);
  }
  const read = Object.entries<Rule>(rules).map(([name, rule]) => [
    name,
    checked(prefix + name, prop(given, name), rule, warn),
  ]);
  return Object.fromEntries(read) as Options;
}

/** The value when it is what it has to be, else the default, with a warning unless it was left out. */
export function checked(
  name: string,
  value: unknown,
  [form, holds, fallback]: Rule,
  warn: Warn,
): unknown {
  if (value === undefined) return fallback;
  if (holds(value)) return value;
  const got = describeError(value);
  const shown = `${cutToChars(got.message, TEXT_SHOWN_CHARS)} (${got.name})`;
  warn(`expected \`${name}\` to be ${form}, got ${shown}; using ${fallback ?? 'the default'}`);
  return fallback;
}

/** `{endpoint}/v1/events` without doubled slashes; undefined when the endpoint is no usable address. */
export function ingestUrl(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const { protocol, username, password, origin, pathname } = new URL(endpoint);
  // Credentials would end up in logs; a query cannot precede a path.
  if (!/^https?:$/.test(protocol) || username || password) return undefined;
  return origin + pathname.replace(/(\/v1\/events)?\/*$/, '') + INGEST_PATH;
}
