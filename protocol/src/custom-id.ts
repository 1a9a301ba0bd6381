import { LIMITS } from './limits.ts';

/** A snowflake inside a custom id: 17 to 20 digits that no other digit touches. catalogue.md A1. */
export const CUSTOM_ID_SNOWFLAKE_PATTERN = '(?<![0-9])[0-9]{17,20}(?![0-9])';

const SNOWFLAKE = new RegExp(CUSTOM_ID_SNOWFLAKE_PATTERN, 'g');

/**
 * `commandName` of a component or modal: the custom id with every snowflake as `{id}`, so that
 * `close:123456789012345678` of a thousand tickets is one command; at most 100 code points.
 */
export function commandNameOf(customId: string): string {
  const name = customId.replace(SNOWFLAKE, '{id}');
  if (name.length <= LIMITS.commandNameCharsMax) return name;
  return Array.from(name).slice(0, LIMITS.commandNameCharsMax).join('');
}
