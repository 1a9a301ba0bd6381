import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  DATA_FIELDS,
  ERROR_CODES,
  EVENT_TYPES,
  INGEST_ERRORS,
  LIMITS,
  REJECT_CODES,
  WARNING_CODES,
} from '../src/index.ts';
import { ROUTES } from '../src/read-api.ts';

const page = (name: string): string =>
  readFileSync(new URL(`../../docs/reference/${name}.md`, import.meta.url), 'utf8');

/** What stands in code marks in the first column of the tables below a heading. */
function firstColumn(text: string): string[] {
  return [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
}

/** The part of a page below a heading, up to the next of the same level. */
function below(text: string, heading: string): string {
  const level = heading.split(' ')[0] ?? '#';
  const start = text.indexOf(`\n${heading}\n`);
  expect(start, heading).toBeGreaterThan(-1);
  const rest = text.slice(start + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${level.length}} `, 'm'));
  return end === -1 ? rest : rest.slice(0, end);
}

describe('the pages name exactly what exists', () => {
  test('limits', () => {
    expect(firstColumn(page('limits'))).toEqual(Object.keys(LIMITS));
  });

  test('event types', () => {
    const text = page('events');
    const named = [...text.matchAll(/^(?:- \[|\| )`([a-z_]+)`/gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual([...EVENT_TYPES].toSorted());
  });

  test('data fields', () => {
    const text = page('data-fields');
    for (const type of EVENT_TYPES) {
      const section = text.split(/^## /m).find((part) => part.includes(`\`${type}\``)) ?? '';
      expect(firstColumn(section), type).toEqual(Object.keys(DATA_FIELDS[type]));
    }
  });

  test('reject and warning codes', () => {
    expect(firstColumn(below(page('ingest'), '### Reject codes'))).toEqual(
      Object.keys(REJECT_CODES),
    );
    expect(firstColumn(below(page('ingest'), '### Warning codes'))).toEqual(
      Object.keys(WARNING_CODES),
    );
    expect(firstColumn(below(page('ingest'), '## Errors'))).toEqual([...INGEST_ERRORS]);
  });

  test('error codes', () => {
    expect(firstColumn(page('errors'))).toEqual(Object.keys(ERROR_CODES));
  });

  test('routes', () => {
    const sections = [...below(page('read-api'), '## Routes').matchAll(/^### (\w+)$/gm)];
    expect(sections.map(([, name]) => name)).toEqual(Object.keys(ROUTES));
  });
});

describe('answers of the ingestion call', () => {
  test('no status makes an SDK lose events or switch off by mistake', () => {
    for (const code of INGEST_ERRORS) {
      const { status } = ERROR_CODES[code];
      expect([400, 401, 403, 405, 413, 415, 429, 500], code).toContain(status);
    }
  });
});
