import { coverage, runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDryRun } from './dry-run.ts';
import { splitJson } from './split-json.ts';
import { parseStrictJson } from './strict-json.ts';

const pause = async () => {};
const isJson = (text: string) => parseStrictJson(text).ok;

/** Joins the parts again. */
async function rejoin(text: string): Promise<string | null> {
  const split = await splitJson(text, { pause, itemsMax: 1_000 });
  if (split === null) throw new Error('too many');
  if (!isJson(split.frame) || !split.items.every(isJson)) return null;
  const frame = JSON.parse(split.frame);
  const put = (value: unknown): unknown =>
    Array.isArray(value) ? value.map((number) => JSON.parse(split.items[number] ?? '')) : value;
  return JSON.stringify(Object.fromEntries(Object.entries(frame).map(([name, value]) => [name, put(value)])));
}

describe('a split JSON text', () => {
  test('is the same when its parts are joined', async () => {
    const lists = fc.dictionary(fc.string(), fc.array(fc.jsonValue({ maxDepth: 4 })), { maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(3), async (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(await rejoin(text)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      runs(3_000),
    );
  });

  test('is valid if and only if all its parts are', async () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '"a"',
      '"b":',
      '1',
      'null',
      ' ',
      '\n',
      '[]',
      '{}',
    );
    const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => `{"a":[${parts.join('')}]}`);
    let valid = 0;
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const isValid = isJson(text);
        if (isValid) valid++;
        expect([text, (await rejoin(text)) !== null]).toEqual([text, isValid]);
      }),
      runs(30_000),
    );
    expect(valid).toBeGreaterThan(coverage(100));
  });
});

describe('the body of a dry-run', () => {
  const side = (id: string) => ({ name: null, criteriaList: [{ type: 'ENTITLEMENT', id }] });
  const policy = { name: 'P', conflictingAccessCriteria: { leftCriteria: side('a'), rightCriteria: side('b') } };

  test('may leave out lists, and fills in the defaults of policies', async () => {
    const empty = { add: [], change: [], remove: [] };
    expect(await parseDryRun('{}', pause)).toEqual({ ok: true, value: empty });
    const parsed = await parseDryRun(JSON.stringify({ add: [policy], remove: ['p-1'] }), pause);
    const complete = expect.objectContaining({ name: 'P', state: 'ENFORCED', scheduled: false, tags: [] });
    expect(parsed).toEqual({ ok: true, value: { ...empty, add: [complete], remove: ['p-1'] } });
  });

  test('pauses every few milliseconds, however large it is', async () => {
    const list = Array(10_000).fill({ ...policy, description: '"\\'.repeat(300) });
    const body = JSON.stringify({ add: list });
    const spaced = `{"remove":[${' '.repeat(15_000_000)}]}`;
    const odd = `{"add":[],"x":"${' a'.repeat(7_000_000)}"}`;
    // Rejected before its end.
    const many = `{"add":[${'1,'.repeat(5_000_000)}1]}`;
    const works = [];
    for (const text of [body, spaced, odd, many]) {
      let pauses = 0;
      const parsed = await parseDryRun(text, async () => {
        pauses += 1;
      });
      works.push([parsed.ok ? 'ok' : parsed.failure.type, pauses >= Math.floor(text.length / 100_000)]);
    }
    expect(works).toEqual([
      ['ok', true],
      ['ok', true],
      ['MalformedBody', true],
      ['LimitExceeded', false],
    ]);
  });
});
