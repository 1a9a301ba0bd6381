import { addColumns, type Migration } from './parameters.ts';

/** Bots with made-up data, and bots that are gone: their row stays, so that every server forgets them. */
export const SAMPLE_BOTS: Migration = {
  id: 4,
  name: 'sample_bots',
  statements: (parameters) =>
    addColumns('bots', ['sample Bool', "removed_at Nullable(DateTime64(3, 'UTC'))"], parameters),
};
