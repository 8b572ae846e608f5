import type { Page, SodReportViolation } from '@access-admin/client';
import { expect, test } from 'vitest';
import { csvOf, ndjsonOf } from './file.ts';
import { lineQueryOf, PAGE_LINES, readPages } from './lines.ts';

const lineOf = (identityId: string, given: Partial<SodReportViolation> = {}): SodReportViolation => ({
  change: 'same',
  identityId,
  displayName: `name of ${identityId}`,
  policyId: 'p-1',
  policyName: 'Pay and post',
  level: 'HIGH',
  conflictingAccessCriteria: { criteria: [], atLeast: 2 },
  exception: null,
  ...given,
});

/** A report of so many lines, of which a request can be slow. */
function reportOf(count: number) {
  const asked: number[] = [];
  const lines = Array.from({ length: count }, (_, at) => lineOf(`i-${at}`));
  const violationsPage = async (_: string, { limit = 0, offset = 0 } = {}): Promise<Page<SodReportViolation>> => {
    asked.push(offset);
    return { items: lines.slice(offset, offset + limit), total: null, more: offset + limit < count };
  };
  return { asked, api: { sodReports: { violationsPage } } as unknown as Parameters<typeof readPages>[0] };
}

test('the filters of an address are those of the service', () => {
  expect(lineQueryOf({})).toEqual({ change: undefined, filters: undefined });
  expect(lineQueryOf({ change: 'new', level: 'HIGH', covered: 'no', policy: 'p "1"', person: 'i-1' })).toEqual({
    change: 'new',
    filters: 'level eq "HIGH" and excepted eq "false" and policyId eq "p \\"1\\"" and identityId eq "i-1"',
  });
});

test('a report is read to its end, one page ahead', async () => {
  const { asked, api } = reportOf(2 * PAGE_LINES + 1);
  const sizes: number[] = [];
  for await (const page of readPages(api, 'r', { search: {}, signal: new AbortController().signal })) {
    expect(asked.length).toBe(Math.min(3, sizes.length + 2));
    sizes.push(page.length);
  }
  expect([sizes, asked]).toEqual([
    [PAGE_LINES, PAGE_LINES, 1],
    [0, PAGE_LINES, 2 * PAGE_LINES],
  ]);
});

test('an empty report has one empty page, and a reading that is ended has no more', async () => {
  const begun = new AbortController();
  const search = { search: {}, signal: begun.signal };
  expect(await Array.fromAsync(readPages(reportOf(0).api, 'r', search))).toEqual([[]]);
  const pages = readPages(reportOf(2 * PAGE_LINES).api, 'r', search);
  await pages.next();
  begun.abort();
  await expect(pages.next()).rejects.toThrow('aborted');
});

async function* pagesOf(...pages: readonly SodReportViolation[][]) {
  yield* pages;
}

test('a file of comma-separated values quotes what needs it', async () => {
  const hostile = lineOf('i,"1"', {
    displayName: '=two\nlines',
    exception: { id: 'e-1', end: '2027-01-01T00:00:00.000Z' },
  });
  const text = (await Array.fromAsync(csvOf(pagesOf([lineOf('i-1')], [hostile])))).join('');
  const criteria = '"{""criteria"":[],""atLeast"":2}"';
  expect(text.split('\r\n')).toEqual([
    'change,identityId,displayName,policyId,policyName,level,conflictingAccessCriteria,exceptionId,exceptionEnd',
    `same,i-1,name of i-1,p-1,Pay and post,HIGH,${criteria},,`,
    `same,"i,""1""","'=two\nlines",p-1,Pay and post,HIGH,${criteria},e-1,2027-01-01T00:00:00.000Z`,
    '',
  ]);
});

test('a file of JSON lines has each violation as the service gives it', async () => {
  const lines = [lineOf('i-1'), lineOf('i-2')];
  const text = (await Array.fromAsync(ndjsonOf(pagesOf(lines, [])))).join('');
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(lines);
});
