/** What differs between one server and a cluster; nothing else in the schema does. design.md 4. */
export interface SchemaParameters {
  /** Name of the ClickHouse cluster; null: one server or the embedded store. */
  readonly cluster: string | null;
}

/** One step of the schema. Steps are only ever added; every statement may run twice. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly statements: (parameters: SchemaParameters) => readonly string[];
}

/** A table that replaces rows of equal sorting key. */
export interface TableSpec {
  readonly name: string;
  /** Column, index and constraint lines. */
  readonly columns: string;
  /** Column whose highest value wins; null: the row inserted last. */
  readonly version: string | null;
  readonly orderBy: string;
  readonly partitionBy?: string;
  readonly ttl?: string;
  /** Further settings of the table. */
  readonly settings?: string;
  /** Sharding expression on a cluster. All rows of one sorting key must meet on one shard. */
  readonly shardBy: string;
}

/** Rows are on disk before an insert returns: both default to 0. server.md finding 5. */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1';

/** Statements that add columns to a table that createTable made: `name Type`. */
export function addColumns(
  table: string,
  columns: readonly string[],
  { cluster }: SchemaParameters,
): readonly string[] {
  const change = columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ');
  if (cluster === null) return [`ALTER TABLE ${table} ${change}`];
  // The Distributed table last: it must not name a column that a shard lacks.
  return [`${table}_local`, table].map(
    (name) => `ALTER TABLE ${name} ON CLUSTER '${cluster}' ${change}`,
  );
}

/** Statements that create a table; on a cluster the name is a Distributed table over `<name>_local`. */
export function createTable(spec: TableSpec, { cluster }: SchemaParameters): readonly string[] {
  const version = spec.version ?? '';
  const path = `'/clickhouse/tables/{shard}/{database}/${spec.name}_local'`;
  const engine =
    cluster === null
      ? `ReplacingMergeTree(${version})`
      : `ReplicatedReplacingMergeTree(${path}, '{replica}'${version && `, ${version}`})`;
  const onCluster = cluster === null ? '' : ` ON CLUSTER '${cluster}'`;
  const local = cluster === null ? spec.name : `${spec.name}_local`;
  const create = [
    `CREATE TABLE IF NOT EXISTS ${local}${onCluster} (${spec.columns})`,
    `ENGINE = ${engine}`,
    spec.partitionBy === undefined ? '' : `PARTITION BY ${spec.partitionBy}`,
    `ORDER BY ${spec.orderBy}`,
    spec.ttl === undefined ? '' : `TTL ${spec.ttl}`,
    `SETTINGS ${DURABLE}${spec.settings === undefined ? '' : `, ${spec.settings}`}`,
  ];
  const statements = [create.filter((line) => line !== '').join('\n')];
  if (cluster !== null) {
    statements.push(
      `CREATE TABLE IF NOT EXISTS ${spec.name}${onCluster} AS ${local}\n` +
        `ENGINE = Distributed('${cluster}', currentDatabase(), '${local}', ${spec.shardBy})`,
    );
  }
  return statements;
}
