import { Agent } from 'node:http';
import { Readable } from 'node:stream';
import { createClient, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client';
import { storeError } from './errors.ts';
import { insertStatement, type InsertTable } from './inserts.ts';
import type { BoundValues, Query } from './query.ts';

/** Where ClickHouse's HTTP interface is. */
export type StoreAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string; readonly cluster: string | null };

/** Bounds of every read. An insert is bounded by the engine and the client's time-out. */
const READ_LIMITS = {
  max_execution_time: 5,
  max_memory_usage: '1073741824',
  output_format_json_quote_64bit_integers: 1,
} as const satisfies ClickHouseSettings;

const WRITE_TIMEOUT_MS = 30_000;
const READ_TIMEOUT_MS = 10_000;
/** Reads that run at once; more wait in the agent. */
const READ_SOCKETS_MAX = 8;

/** Rows in ClickHouse's text form, one a line; in pieces that end where a row ends. */
export type RowText = string | readonly Buffer[];

/**
 * ClickHouse through its HTTP interface: one client that writes, one whose every request is
 * `readonly`. Throws StoreDownError and StoreRefusedError only.
 */
export class Store {
  readonly address: StoreAddress;
  readonly #writer: ClickHouseClient;
  readonly #reader: ClickHouseClient;
  readonly #agents: readonly Agent[];

  constructor(address: StoreAddress) {
    this.address = address;
    const writes = new Agent({ keepAlive: true, maxSockets: 4, ...socketOf(address) });
    const reads = new Agent({
      keepAlive: true,
      maxSockets: READ_SOCKETS_MAX,
      ...socketOf(address),
    });
    this.#agents = [writes, reads];
    const url = address.kind === 'url' ? address.url : 'http://localhost';
    const shared = { url, application: 'bot-analytics', log: { level: 127 as const } };
    const https = url.startsWith('https:');
    this.#writer = createClient({
      ...shared,
      request_timeout: WRITE_TIMEOUT_MS,
      ...(https ? {} : { http_agent: writes }),
    });
    // The embedded engine's reader sessions have these limits fixed at connect and refuse settings.
    const limits = address.kind === 'url' ? READ_LIMITS : {};
    this.#reader = createClient({
      ...shared,
      request_timeout: READ_TIMEOUT_MS,
      max_open_connections: READ_SOCKETS_MAX,
      clickhouse_settings: { readonly: '1', ...limits },
      ...(https ? {} : { http_agent: reads }),
    });
  }

  /** Rows of a query, run read-only with bounds on time and memory. */
  async read<P extends BoundValues, R>(query: Query<P, R>, params: P): Promise<R[]> {
    try {
      const result = await this.#reader.query({
        query: query.sql,
        query_params: { ...params },
        format: 'JSONEachRow',
      });
      return await result.json<R>(); // The row type stands beside the SQL text.
    } catch (error) {
      throw storeError(error);
    }
  }

  /** Bytes of a read-only query that ends in a FORMAT clause, as they come; for exports. */
  async stream<P extends BoundValues>(
    query: Query<P, unknown>,
    params: P,
    signal?: AbortSignal,
  ): Promise<Readable> {
    try {
      const result = await this.#reader.exec({
        query: query.sql,
        query_params: { ...params },
        ...(signal === undefined ? {} : { abort_signal: signal }),
      });
      return result.stream;
    } catch (error) {
      throw storeError(error);
    }
  }

  /** Runs a statement that answers nothing. */
  async run(sql: string, params: BoundValues = {}): Promise<void> {
    try {
      await this.#writer.command({ query: sql, query_params: { ...params } });
    } catch (error) {
      throw storeError(error);
    }
  }

  /** Rows of a query on the writer's side, for what must be seen before a reader session opens. */
  async readAsWriter<P extends BoundValues, R>(query: Query<P, R>, params: P): Promise<R[]> {
    try {
      const result = await this.#writer.query({
        query: query.sql,
        query_params: { ...params },
        format: 'JSONEachRow',
      });
      return await result.json<R>();
    } catch (error) {
      throw storeError(error);
    }
  }

  /**
   * Inserts rows and returns when they are on disk.
   * @throws StoreRefusedError when a row is at fault: then none of the rows is stored.
   * @throws StoreDownError otherwise: then the rows may be stored or not.
   */
  async insert(table: InsertTable, rows: RowText): Promise<void> {
    const pieces = typeof rows === 'string' ? [Buffer.from(rows)] : rows;
    const cluster = this.address.kind === 'url' ? this.address.cluster : null;
    try {
      const result = await this.#writer.exec({
        query: insertStatement(table, cluster !== null),
        values: Readable.from(pieces, { objectMode: false }),
      });
      for await (const _chunk of result.stream); // An insert has no rows; the socket becomes free.
    } catch (error) {
      throw storeError(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#writer.close(), this.#reader.close()]);
    for (const agent of this.#agents) agent.destroy();
  }
}

/** Agent options; Node reads `socketPath` although its types leave it out. */
function socketOf(address: StoreAddress): object {
  return address.kind === 'socket' ? { socketPath: address.path } : {};
}
