/**
 * Server-level configuration of chDB, given once at the first connect of the process. Sizes in bytes.
 * fsync: the table settings are the default of every MergeTree table made here, so an answered insert
 * is on disk (design.md 4). chDB takes them from the file only; `--merge_tree.x` arguments do nothing.
 * Thread pools: ClickHouse sizes them for a server (512 schedule threads); this process shares two
 * cores with its parent.
 */
const SERVER = {
  max_server_memory_usage: 1_610_612_736,
  mark_cache_size: 67_108_864,
  index_mark_cache_size: 16_777_216,
  primary_index_cache_size: 67_108_864,
  uncompressed_cache_size: 0,
  index_uncompressed_cache_size: 0,
  query_condition_cache_size: 8_388_608,
  compiled_expression_cache_size: 16_777_216,
  mmap_cache_size: 100,
  background_pool_size: 2,
  background_merges_mutations_concurrency_ratio: 1,
  background_common_pool_size: 2,
  background_schedule_pool_size: 4,
  background_move_pool_size: 1,
  background_fetches_pool_size: 1,
  background_buffer_flush_schedule_pool_size: 1,
  background_distributed_schedule_pool_size: 1,
  background_message_broker_schedule_pool_size: 1,
} as const satisfies Record<string, number>;

const MERGE_TREE = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
} as const satisfies Record<string, number>;

function elements(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('\n');
}

/** The configuration file's text. */
export function configXml(): string {
  const mergeTree = `<merge_tree>\n${elements(MERGE_TREE)}\n</merge_tree>`;
  return `<clickhouse>\n${elements(SERVER)}\n${mergeTree}\n</clickhouse>\n`;
}
