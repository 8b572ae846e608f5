import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFilters } from './filters.ts';

const FIELDS = {
  time: { operators: ['ge', 'le'], kind: 'instant' },
  name: { operators: ['eq', 'sw', 'co'], kind: 'text' },
  state: { operators: ['eq', 'in'], kind: 'text' },
} as const;

const read = (text: string) => {
  const result = parseFilters(text, FIELDS);
  return result.ok ? result.value : result.failure;
};

describe('filters', () => {
  test('are comparisons joined by `and`', () => {
    expect(read('name sw "AP" and state in ("ENFORCED", "NOT_ENFORCED")')).toEqual([
      { field: 'name', operator: 'sw', values: ['AP'] },
      { field: 'state', operator: 'in', values: ['ENFORCED', 'NOT_ENFORCED'] },
    ]);
    expect(read('  name   eq"and" and name co "and"  ')).toEqual([
      { field: 'name', operator: 'eq', values: ['and'] },
      { field: 'name', operator: 'co', values: ['and'] },
    ]);
  });

  test('compare instants in UTC with milliseconds', () => {
    expect(read('time ge "1969-12-31T00:00:00Z"')).toEqual([
      { field: 'time', operator: 'ge', values: ['1969-12-31T00:00:00.000Z'] },
    ]);
    expect(read('time ge "2026-11-21T10:30:00+01:00" and time le "2026-11-21T09:30Z"')).toEqual([
      { field: 'time', operator: 'ge', values: ['2026-11-21T09:30:00.000Z'] },
      { field: 'time', operator: 'le', values: ['2026-11-21T09:30:00.000Z'] },
    ]);
  });

  test('accept any text as a literal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (drawn) => {
        // Stored texts never contain NUL, and PostgreSQL rejects it as a parameter.
        const text = drawn.replaceAll('\0', '');
        const literal = `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
        expect(read(`name eq ${literal}`)).toEqual([{ field: 'name', operator: 'eq', values: [text] }]);
        expect(read(`state in (${literal},${literal})`)).toEqual([
          { field: 'state', operator: 'in', values: [text, text] },
        ]);
      }),
      runs(1_000),
    );
  });

  test.each([
    ['nothing', ''],
    ['a field that is unknown', 'id eq "a"'],
    ['a field of every object', 'constructor eq "a"'],
    ['a field in other case', 'Name eq "a"'],
    ['an operator that the field does not have', 'name in ("a")'],
    ['an operator in other case', 'name EQ "a"'],
    ['no literal', 'name eq'],
    ['a literal without quotes', 'name eq a'],
    ['a literal in single quotes', "name eq 'a'"],
    ['a literal without end', 'name eq "a'],
    ['an escape that is unknown', String.raw`name eq "\n"`],
    ['a backslash at the end', 'name eq "a\\"'],
    ['two literals', 'name eq "a" "b"'],
    ['a list where one literal is due', 'name eq ("a")'],
    ['a literal where a list is due', 'state in "a"'],
    ['an empty list', 'state in ()'],
    ['a list without end', 'state in ("a"'],
    ['a list with a comma too many', 'state in ("a",)'],
    ['a list without commas', 'state in ("a" "b")'],
    ['a joint that is not and', 'name eq "a" or name eq "b"'],
    ['an and at the end', 'name eq "a" and'],
    ['parentheses around it', '(name eq "a")'],
    ['an instant without offset', 'time ge "2026-11-21T09:30:00"'],
    ['a day', 'time ge "2026-11-21"'],
    ['an instant that does not exist', 'time ge "2026-13-41T09:30:00Z"'],
    ['a day that the month does not have', 'time ge "2026-02-30T00:00:00Z"'],
    ['an instant after the year 9999', 'time le "9999-12-31T23:59:59-01:00"'],
    ['an instant in words', 'time ge "yesterday"'],
    ['another sign', 'name = "a"'],
    ['a NUL', 'name eq "a\0"'],
  ])('are rejected: %s', (_, text) => {
    expect(read(text)).toMatchObject({ type: 'IllegalValue', causes: [{ at: 'filters' }] });
  });

  test('never throw, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof parseFilters(text, FIELDS).ok).toBe('boolean');
      }),
      runs(1_000),
    );
  });
});
