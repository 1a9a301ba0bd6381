/** The event that every SDK is given: the eight fields of a slash command. */
export function sampleData(n: number): Record<string, unknown> {
  return {
    commandName: 'config set',
    interactionKind: 'slash',
    success: true,
    latencyMs: 123.4 + (n % 100),
    timedOut: false,
    shardId: n % 16,
    responseKind: 'reply',
    errorCode: null,
  };
}

export const GUILD_ID = '123456789012345678';
export const USER_ID = '223456789012345678';
