import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { applyPatch, type PatchWhitelist, parsePatch } from '../src/index.ts';

/** A case of the public RFC 6902 suite. One without `expected` and `error` leaves the document as it is. */
interface Case {
  readonly comment?: string;
  readonly doc: unknown;
  readonly patch: readonly Operation[];
  readonly expected?: unknown;
  readonly error?: string;
  readonly disabled?: boolean;
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
}

const require = createRequire(import.meta.url);
const readCases = (file: string): readonly Case[] =>
  JSON.parse(readFileSync(require.resolve(`json-patch-test-suite/${file}`), 'utf8'));
const cases = [...readCases('tests.json'), ...readCases('spec_tests.json')];

/** Cases with a repeated member: JSON.parse drops the first, so they cannot be run. */
const isUnreadable = ({ error }: Case) => error?.endsWith("two 'op' members") === true;
const readable = cases.filter((one) => !isUnreadable(one));

const titleOf = ({ comment, error, patch }: Case) => `${comment ?? error ?? ''} ${JSON.stringify(patch)}`;
const titled = (some: readonly Case[]) => some.map((one) => [titleOf(one), one] as const);

const run = (doc: unknown, operations: readonly unknown[], isAllowed: PatchWhitelist['isAllowed']) => {
  const patch = parsePatch(operations);
  return patch.ok ? applyPatch(doc, patch.value, { isAllowed }) : patch;
};

const outcomeOf = ({ doc, expected, error }: Case, wrap = (value: unknown) => value) =>
  error === undefined
    ? { ok: true, value: wrap(expected === undefined ? doc : expected) }
    : { ok: false, failure: expect.anything() };

const touchesRoot = ({ patch }: Case) => patch.some(({ path, from }) => path === '' || from === '');

describe('the public RFC 6902 suite', () => {
  test('is read completely; cases that cannot be run are printed with the reason', () => {
    for (const one of cases.filter(({ disabled }) => disabled)) {
      const reason = isUnreadable(one) ? 'not run: JSON.parse drops the doubled member' : 'disabled there, run here';
      console.info(`${reason}: ${titleOf(one)}`);
    }
    expect([cases.length, cases.length - readable.length]).toEqual([95, 2]);
  });

  test.each(titled(readable))('everything allowed: %s', (_title, one) => {
    expect(run(one.doc, one.patch, () => true)).toEqual(outcomeOf(one));
  });

  test.each(titled(readable))('below /capabilities: %s', (_title, one) => {
    const below = one.patch.map((operation) => ({
      ...operation,
      path: `/capabilities${operation.path}`,
      ...(operation.from === undefined ? {} : { from: `/capabilities${operation.from}` }),
    }));
    const result = run({ capabilities: one.doc }, below, ([first]) => first === 'capabilities');
    expect(result).toEqual(outcomeOf(one, (capabilities) => ({ capabilities })));
  });

  test.each(titled(readable))('the root closed: %s', (_title, one) => {
    const refused = { ok: false, failure: { type: 'IllegalUpdate', causes: expect.anything() } };
    const expected = touchesRoot(one) && one.error === undefined ? refused : outcomeOf(one);
    expect(run(one.doc, one.patch, (pointer) => pointer.length > 0)).toEqual(expected);
  });
});
