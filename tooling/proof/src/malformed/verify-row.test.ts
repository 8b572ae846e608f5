import { expect, test } from 'vitest';
import type { MalformedRow } from './malformed-row.ts';
import { verifyRow } from './verify-row.ts';

const ID = '0'.repeat(32);
const problem = (detailCode: string) => ({
  status: Number(detailCode.slice(0, 3)),
  headers: new Map([
    ['x-request-id', ID],
    ['content-type', 'application/json'],
  ]),
  body: Buffer.from(
    JSON.stringify({
      detailCode,
      trackingId: ID,
      messages: [{ locale: 'en-US', localeOrigin: 'DEFAULT', text: 'No.' }],
      causes: [],
    }),
  ),
});
const ok = { status: 200, headers: new Map(), body: Buffer.from('{}') };
const row: MalformedRow = { name: 'row', request: '', answers: ['200', '404 404'], leaves: 'open', ends: false };

test('a row holds if every answer and the state of the connection are as expected', () => {
  expect(verifyRow(row, { answers: [ok, problem('404')], leaves: 'open' })).toBeNull();
});

test('reports an additional or missing answer, another code or another state of the connection', () => {
  const hidden = verifyRow(row, { answers: [ok, problem('404'), ok], leaves: 'open' });
  expect(hidden).toBe('200, 404 404, 200, then open, instead of 200, 404 404, then open');
  expect(verifyRow(row, { answers: [ok], leaves: 'open' })).toContain('instead of');
  expect(verifyRow(row, { answers: [ok, problem('400.1')], leaves: 'open' })).toContain('400 400.1');
  expect(verifyRow(row, { answers: [ok, problem('404')], leaves: 'hangs' })).toContain('then hangs');
});

test('reports a refusal in another shape', () => {
  const bare = { ...problem('404'), headers: new Map() };
  expect(verifyRow(row, { answers: [ok, bare], leaves: 'open' })).toBe('404 is invalid: its X-Request-Id');
});
