import type { ChatSim } from '../sim.ts';

/** What exists, in short: enough to choose a guild, a channel, a member. */
export function worldView(sim: ChatSim): object {
  const { world } = sim;
  return {
    bot: world.bot,
    applicationId: world.applicationId,
    restUrl: sim.restUrl,
    gatewayUrl: sim.gatewayUrl,
    guilds: [...world.guilds.values()].map((guild) => ({
      id: guild.facts.id,
      name: guild.facts.name,
      locale: guild.facts.preferred_locale,
      ownerId: guild.facts.owner_id,
      available: guild.available,
      memberIds: [...guild.members.keys()],
      roles: [...guild.roles.values()].map(({ id, name }) => ({ id, name })),
      channels: [...guild.channels.values()].map(({ id, name, type }) => ({ id, name, type })),
      threads: [...guild.threads.values()].map(({ id, name, type }) => ({ id, name, type })),
    })),
    commands: [...world.commands.values()].map(({ id, name, type, guildId }) => ({
      id,
      name,
      type,
      guildId,
    })),
  };
}

/** Any result as JSON text: maps and sets become lists, nothing becomes `null`. */
export function resultText(result: unknown): string {
  const text = JSON.stringify(result ?? null, (_, value: unknown) => {
    if (value instanceof Map) return [...(value as Map<string, unknown>).values()]; // narrows unknown keys
    return value instanceof Set ? [...(value as Set<unknown>)] : value;
  });
  return text;
}
