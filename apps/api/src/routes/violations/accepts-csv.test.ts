import { expect, test } from 'vitest';
import { contextOf } from '../../../test/context-of.ts';
import { acceptsCsv } from './accepts-csv.ts';

test.each([
  [undefined, false],
  ['', false],
  ['text/csv', true],
  ['TEXT/CSV', true],
  ['text/csv; charset=utf-8', true],
  ['text/csv;q=0', false],
  ['text/csv;q=0.2', true],
  ['text/html, text/csv;q=0.5, */*;q=0.1', true],
  ['application/x-ndjson', false],
  ['application/x-ndjson;q=0.5, text/csv', true],
  ['text/csv;q=0.5, application/x-ndjson', false],
  // What is rated alike, or by a range, is JSON lines.
  ['text/csv, application/x-ndjson', false],
  ['text/csv;q=0.5, application/x-ndjson;q=0.5', false],
  ['text/*', false],
  ['*/*', false],
])('Accept %j asks for CSV: %s', (accept, isCsv) => {
  expect(acceptsCsv(contextOf({ headers: accept === undefined ? {} : { accept } }))).toBe(isCsv);
});
