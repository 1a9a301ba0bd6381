import { isIP } from 'node:net';
import { LOG_LEVELS, type LogLevel } from './log.ts';

/** A start-up mistake of the operator; its message is one sentence that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Settings of the server. */
export interface Config {
  /** TCP port; 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  /** Folder for the embedded store, the lock and the admin token. */
  readonly dataDir: string;
  /** null: the embedded store. */
  readonly storeUrl: string | null;
  /** Name of the ClickHouse cluster; null: one server. Needs `storeUrl`. */
  readonly storeCluster: string | null;
  readonly logLevel: LogLevel;
  /** Addresses or networks of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Address under which SDKs and browsers reach the server; null: the listening address. */
  readonly publicUrl: string | null;
  /** Open connections; more are refused. */
  readonly maxConnections: number;
  /** Live streams of the status; more are refused, and the page polls. */
  readonly maxStreams: number;
  /** Bytes of request bodies held at once; over it new requests get 429. */
  readonly inFlightBytesMax: number;
}

interface Setting<T> {
  readonly fallback: string;
  /** What a good value is: "a whole number from 0 to 65535". */
  readonly expected: string;
  /** undefined: not a good value. */
  readonly parse: (text: string) => T | undefined;
}

const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
};

function parseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  return /^https?:$/.test(new URL(text).protocol) ? text : undefined;
}

function parseNetworks(text: string): readonly string[] | undefined {
  const networks = text.split(',').map((part) => part.trim());
  const good = networks.every((network) => {
    const [address = '', bits = '0', rest] = network.split('/');
    return isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && rest === undefined;
  });
  return good ? networks : undefined;
}

/** Empty text stands for "not set" in every table row that allows it. */
const orNull =
  <T>(parse: (text: string) => T | undefined) =>
  (text: string): T | null | undefined =>
    text === '' ? null : parse(text);

/** Every setting, its default and its check. Names are those of the environment. */
export const SETTINGS = {
  PORT: {
    fallback: '8080',
    expected: 'a whole number from 0 to 65535',
    parse: wholeNumber(0, 65_535),
  },
  HOST: {
    fallback: '127.0.0.1',
    expected: 'an address or host name to listen on',
    parse: (text) => (/^[\w.:-]{1,253}$/.test(text) ? text : undefined),
  },
  DATA_DIR: {
    fallback: './data',
    expected: 'the path of a folder',
    parse: (text) => (text === '' || text.includes('\0') ? undefined : text),
  },
  STORE_URL: {
    fallback: '',
    expected: 'empty, or like http://user:password@host:8123/database',
    parse: orNull(parseUrl),
  },
  STORE_CLUSTER: {
    fallback: '',
    expected: 'empty, or the name of a ClickHouse cluster (letters, digits, _ and -)',
    parse: orNull((text) => (/^[\w-]{1,64}$/.test(text) ? text : undefined)),
  },
  LOG_LEVEL: {
    fallback: 'info',
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    parse: (text) => LOG_LEVELS.find((level) => level === text),
  },
  TRUSTED_PROXY: {
    fallback: '',
    expected: 'empty, or addresses or networks separated by commas',
    parse: (text) => (text === '' ? [] : parseNetworks(text)),
  },
  PUBLIC_URL: {
    fallback: '',
    expected: 'empty, or like https://analytics.example.org',
    parse: orNull((text) => parseUrl(text)?.replace(/\/+$/, '')),
  },
  MAX_CONNECTIONS: {
    fallback: '20000',
    expected: 'a whole number from 1 to 1000000',
    parse: wholeNumber(1, 1_000_000),
  },
  MAX_STREAMS: {
    fallback: '5000',
    expected: 'a whole number from 0 to 1000000',
    parse: wholeNumber(0, 1_000_000),
  },
  IN_FLIGHT_BYTES: {
    fallback: '67108864',
    expected: 'a whole number from 2097152 to 4294967296',
    // Two full batches are the least with which a group commit makes sense.
    parse: wholeNumber(2_097_152, 4_294_967_296),
  },
} as const satisfies Record<string, Setting<unknown>>;

type SettingName = keyof typeof SETTINGS;
type SettingValue<N extends SettingName> = Exclude<
  ReturnType<(typeof SETTINGS)[N]['parse']>,
  undefined
>;

function read<N extends SettingName>(
  name: N,
  variables: Readonly<Record<string, string | undefined>>,
): SettingValue<N> {
  const setting: Setting<unknown> = SETTINGS[name];
  const text = (variables[name] ?? '').trim() || setting.fallback;
  const value = setting.parse(text);
  if (value !== undefined) return value as SettingValue<N>; // The table types parse and value alike.
  // STORE_URL may hold a password, so no message repeats a value.
  throw new StartError(`${name} is not valid: expected ${setting.expected}.`);
}

/**
 * Reads the settings from environment variables; empty counts as not set.
 * @throws StartError that names the first wrong one.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const config: Config = {
    port: read('PORT', variables),
    host: read('HOST', variables),
    dataDir: read('DATA_DIR', variables),
    storeUrl: read('STORE_URL', variables),
    storeCluster: read('STORE_CLUSTER', variables),
    logLevel: read('LOG_LEVEL', variables),
    trustedProxies: read('TRUSTED_PROXY', variables),
    publicUrl: read('PUBLIC_URL', variables),
    maxConnections: read('MAX_CONNECTIONS', variables),
    maxStreams: read('MAX_STREAMS', variables),
    inFlightBytesMax: read('IN_FLIGHT_BYTES', variables),
  };
  if (config.storeCluster !== null && config.storeUrl === null) {
    throw new StartError('STORE_CLUSTER needs STORE_URL: set both, or unset STORE_CLUSTER.');
  }
  return config;
}
