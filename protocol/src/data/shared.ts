/** Field descriptions that several event types use. */

export const shardId = {
  kind: 'integer',
  min: 0,
  doc: 'Shard on which it happened; 0 without sharding.',
  js: 'guild.shardId, or the id of the dispatching shard',
  py: 'guild.shard_id, or the id of the dispatching shard',
} as const;
export const shardIdOrNull = {
  ...shardId,
  nullable: true,
  doc: `${shardId.doc} Null when unknown.`,
} as const;
export const success = {
  kind: 'boolean',
  doc: 'False when the platform refused or nobody answered.',
  js: 'settlement of the REST call',
  py: 'settlement of the REST call',
} as const;
export const errorCode = {
  kind: 'code',
  nullable: true,
  doc: 'Error code of the platform (10062, 50013) or of the system (ECONNRESET); null on success.',
  js: 'error.code',
  py: 'exception.code',
} as const;

export const guildName = {
  kind: 'string',
  nullable: true,
  doc: 'Guild name, public platform data. Spec: Privacy.',
  js: 'guild.name',
  py: 'guild.name',
} as const;
export const locale = {
  kind: 'string',
  nullable: true,
  doc: 'Preferred locale of the guild.',
  js: 'guild.preferredLocale',
  py: 'guild.preferred_locale',
} as const;
export const memberCount = {
  kind: 'integer',
  unit: 'members',
  min: 0,
  nullable: true,
  doc: 'Members of the guild.',
  js: 'guild.memberCount',
  py: 'guild.member_count',
} as const;
