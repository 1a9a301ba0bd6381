import { CORE } from './0001-core.ts';
import { BOTS_AND_KEYS } from './0002-bots.ts';
import { READING } from './0003-reading.ts';
import { SAMPLE_BOTS } from './0004-sample.ts';
import type { Migration } from './parameters.ts';

/** Every step of the schema in order. A new column or table is a new step, never a changed one. */
export const MIGRATIONS: readonly Migration[] = [CORE, BOTS_AND_KEYS, READING, SAMPLE_BOTS];
