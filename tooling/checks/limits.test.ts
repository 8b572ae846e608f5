import { beforeAll, expect, test } from 'vitest';
import { findLines, ROOT, read, SOURCES } from './repository.ts';

/** The exports of the contract's module that are compared. It is imported by path, as the checks depend on no package. */
interface Limits {
  readonly PUBLISHED_LIMITS: Readonly<Record<string, Readonly<Record<'what' | 'most' | 'over' | 'setting', string>>>>;
  readonly limitRows: () => readonly string[];
}

const PAGE = 'docs/reference/limits.md';
const MODULE = 'packages/contract/src/limits.ts';
const TABLE = 'packages/contract/src/openapi/published-limits.ts';
/** The tables that it joins, and the line on which each begins. */
const PARTS = {
  'packages/contract/src/openapi/administration-limits.ts': 'export const ADMINISTRATION_LIMITS',
  'packages/contract/src/openapi/worker-limits.ts': 'export const WORKER_LIMITS',
};

let limits: Limits;
beforeAll(async () => {
  limits = await import(ROOT + TABLE);
});

const rows = (text: string) =>
  text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| limit |'));

test('the page of limits states every limit of the code and no other', () => {
  expect(rows(read(PAGE))).toEqual(limits.limitRows());
});

test('every limit states its number and the response beyond it', () => {
  const bare = Object.entries(limits.PUBLISHED_LIMITS).filter(
    ([, { most, over, setting }]) =>
      !/\d/.test(most) ||
      !/^[45]\d\d |^(closed|ignored|the first|waits|the check ends|the report ends|the attempt fails|the delivery ends)/.test(
        over,
      ) ||
      setting === '',
  );
  expect(bare).toEqual([]);
});

test('every limit of the contract is published', () => {
  const texts = read(MODULE);
  const table = read(TABLE);
  const constants = [...(texts + table).matchAll(/\b([A-Z]+(?:_[A-Z]+)*_MAX|RATE_LIMIT_DEFAULT)\b/g)].map(
    ([, name]) => name ?? '',
  );
  expect(constants.length).toBeGreaterThan(0);
  const published = Object.entries({ [TABLE]: 'export const PUBLISHED_LIMITS', ...PARTS })
    .map(([path, start]) => read(path).slice(read(path).indexOf(start)))
    .join('');
  expect(constants.filter((name) => !published.includes(name))).toEqual([]);
});

test('the page of the configuration names every variable that changes a limit', () => {
  const settings = Object.values(limits.PUBLISHED_LIMITS).flatMap(({ setting }) => (setting === 'no' ? [] : [setting]));
  expect(settings.length).toBeGreaterThan(0);
  for (const setting of settings) expect(read('docs/reference/configuration.md')).toContain(`| ${setting} |`);
});

test('sizes of requests and of the backlog are written as numbers in one module only', () => {
  const wire = SOURCES.filter((path) => /^(packages\/contract|apps\/api)\/src\//.test(path) && path !== MODULE);
  const sizes = /\b(2048|8192|16_?384|65_?536|262_?144|1_?048_?576|16_?777_?216|100_?000)\b/;
  // Sizes of pieces, what is remembered and the work factor of a hash are no limits of requests.
  const others =
    /: (export )?const ([A-Z_]*(CHUNK|GATHERED|PIECE|REMEMBERED)[A-Z_]*|CHARACTERS_PER_SLICE|COST(: ScryptCost)?) = /;
  expect(findLines(wire, sizes).filter((line) => !others.test(line))).toEqual([]);
});
