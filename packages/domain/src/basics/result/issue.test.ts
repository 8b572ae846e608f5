import { expect, test } from 'vitest';
import { failureOf, type Issue, issuesOf } from './issue.ts';

test('no issue is no failure', () => {
  expect(failureOf([])).toBeNull();
});

test('the first issue gives the failure its type; a cause names its own where that differs', () => {
  const issues: Issue[] = [
    { type: 'LimitExceeded', at: 'a', text: '1' },
    { type: 'IllegalValue', at: 'b', text: '2' },
    { type: 'LimitExceeded', at: 'c', text: '3' },
  ];
  const failure = failureOf(issues);
  expect(failure).toStrictEqual({
    type: 'LimitExceeded',
    causes: [
      { at: 'a', text: '1' },
      { type: 'IllegalValue', at: 'b', text: '2' },
      { at: 'c', text: '3' },
    ],
  });
  expect(failure === null ? [] : issuesOf(failure)).toEqual(issues);
});

test('only the first 20 are named, and no more are looked for', () => {
  let read = 0;
  function* endless(): Generator<Issue> {
    for (;;) yield { type: 'Conflict', at: `line ${++read}`, text: '' };
  }
  expect(failureOf(endless())?.causes).toHaveLength(20);
  expect(read).toBe(20);
});
