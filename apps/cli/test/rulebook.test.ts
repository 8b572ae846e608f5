import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@access-admin/harness';
import { runs } from '@access-admin/test-depth';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatRulebook } from '../src/rulebook/format.ts';
import { parseRulebookFile } from '../src/rulebook/parse.ts';
import { createMatcher } from '../src/rulebook/refs.ts';
import { rulebookJsonSchema } from './json-schema.ts';
import { openFiles } from './run-here.ts';

const PAIR = `policies:
  - id: p-1
    name: One
    left: [a]
    right: [b]
tests:
  - name: both
    given: {holds: [a, b]}
    expect: {violates: [p-1]}
`;

const problemsOf = (text: string) =>
  parseRulebookFile('r.yaml', text).problems.map(({ at, text: why }) => `${at.line}:${at.column} ${why}`);

describe('a rulebook file', () => {
  test.each([
    [
      'an unknown key',
      '  - id: p-1\n    nme: One\n    left: [a]\n    right: [b]',
      ['3:5 policies[0].nme: unknown key', '2:5 policies[0].name: is missing'],
    ],
    ['a duplicate key', '  - id: p-1\n    id: p-2', ['3:5 Map keys must be unique']],
    [
      'a number as an id',
      '  - id: 7\n    name: One\n    critical: [a]',
      ['2:5 policies[0].id: must be a text, in quotes'],
    ],
    [
      'an empty side',
      '  - id: p-1\n    name: One\n    left: []\n    right: [b]',
      ['4:5 policies[0].left: must not be empty'],
    ],
    [
      'sides without atLeast',
      '  - id: p\n    name: O\n    sides: [{items: [a]}]',
      ['2:5 policies[0].atLeast: is missing'],
    ],
    [
      'an unknown level',
      '  - id: p\n    name: O\n    level: high\n    critical: [a]',
      ['4:5 policies[0].level: must be CRITICAL or HIGH or MEDIUM or LOW'],
    ],
    ['a tag', '  - id: !secret p\n    name: O\n    critical: [a]', ['2:9 Unresolved tag: !secret']],
    ['no YAML', '  - id: [', [expect.stringContaining('3:1 ')]],
  ])('with %s is refused with its line and column', (_, policies, problems) => {
    const found = problemsOf(`policies:\n${policies}\n`);
    expect(found.toSorted()).toEqual([...problems].sort((one, other) => (String(one) < String(other) ? -1 : 1)));
  });

  test('is YAML 1.2: a plain no is a text', () => {
    const { policies } = parseRulebookFile('r.yaml', 'policies:\n  - {id: no, name: yes, critical: [on]}\n');
    expect(policies[0]?.policy).toEqual({ id: 'no', name: 'yes', critical: ['on'] });
  });

  test('has a published schema that is the one that is checked', () => {
    const published = JSON.parse(readFileSync(join(ROOT, 'apps/cli/schema/rulebook.schema.json'), 'utf8'));
    expect(published).toEqual(rulebookJsonSchema());
    const isValid = new Ajv2020({ strict: false }).compile(published);
    expect(isValid(parse(PAIR))).toBe(true);
    expect(isValid(parse(PAIR.replace('left', 'lft')))).toBe(false);
  });

  test('names an id that two files have, and a policy that a test expects but no file has', async () => {
    using folder = openFiles({ 'r/a.yaml': PAIR, 'r/b.yaml': PAIR.replace('violates: [p-1]', 'violates: [p-2]') });
    const { code, notes } = await folder.run('lint', './r');
    expect(code).toBe(1);
    expect(notes).toBe(
      'r/b.yaml:2:5: the id p-1 is that of the policy at r/a.yaml:2:5 too\nr/b.yaml:9:25: there is no policy p-2 in this rulebook\n',
    );
  });
});

describe('fmt', () => {
  const id = fc.stringMatching(/^[a-z][a-z0-9-]{0,6}$/);
  const refs = fc.uniqueArray(
    fc.oneof(
      id,
      id.map((text) => `${text}*`),
    ),
    { minLength: 1, maxLength: 4 },
  );
  const policy = fc.oneof(
    fc.record({ right: refs, name: id, left: refs, id, level: fc.constantFrom('LOW', 'HIGH') }),
    fc.record({ critical: refs, tags: fc.array(id, { maxLength: 2 }), id, name: id }),
  );

  test('changes the order alone, and nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(policy, { minLength: 1, maxLength: 4 }), (policies) => {
        const text = `policies:\n${policies.map((each) => `  - ${JSON.stringify(each)}\n`).join('')}`;
        const formatted = formatRulebook(text);
        expect(formatRulebook(formatted)).toBe(formatted);
        const sorted = (list: readonly object[]) =>
          list
            .map((each) =>
              JSON.stringify(
                Object.entries(each)
                  .map(([key, value]) => [key, Array.isArray(value) ? value.toSorted() : value])
                  .toSorted(),
              ),
            )
            .toSorted();
        expect(sorted(parse(formatted).policies)).toEqual(sorted(policies));
      }),
      runs(300),
    );
  });

  test('keeps comments with what follows them, and --check writes nothing', async () => {
    const text =
      '# Payments\npolicies:\n  # the second\n  - name: B\n    id: p-2\n    critical: [b, a]\n  # the first\n  - id: p-1\n    name: A\n    critical: [c] # why\n';
    const formatted =
      '# Payments\npolicies:\n  # the first\n  - id: p-1\n    name: A\n    critical: [c] # why\n\n  # the second\n  - id: p-2\n    name: B\n    critical: [a, b]\n';
    using folder = openFiles({ 'r/a.yaml': text });
    expect(await folder.run('fmt', './r', '--check')).toEqual({ code: 1, out: 'r/a.yaml\n', notes: '' });
    expect(readFileSync(join(folder.path, 'r/a.yaml'), 'utf8')).toBe(text);
    expect((await folder.run('fmt', './r')).code).toBe(0);
    expect(readFileSync(join(folder.path, 'r/a.yaml'), 'utf8')).toBe(formatted);
    expect((await folder.run('fmt', './r', '--check')).code).toBe(0);
  });
});

test.each([
  ['erp:pay-*', 'erp:pay-run', true],
  ['erp:pay-*', 'erp.pay-run', false],
  ['erp:pay-*', 'xerp:pay-run', false],
  ['*', 'anything', true],
  ['a.*b', 'a.xb', true],
  ['a.*b', 'aXxb', false],
])('the pattern %s and the id %s: %s', (pattern, id, matches) => {
  expect(createMatcher(pattern)(id)).toBe(matches);
});

test('patterns match as their expressions do', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 });
  const ids = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
  fc.assert(
    fc.property(texts, ids, (pattern, id) => {
      const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(id);
      expect(createMatcher(pattern)(id)).toBe(expected);
    }),
    runs(2_000),
  );
});

test('a pattern of many stars takes no longer than another', () => {
  // By an expression, this pattern takes years.
  expect(createMatcher(`${'*a'.repeat(40)}*b`)('a'.repeat(128))).toBe(false);
});
