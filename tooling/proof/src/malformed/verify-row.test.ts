import { expect, test } from 'vitest';
import { jsonAnswer, problem } from '../http/problem-sample.ts';
import type { MalformedRow } from './malformed-row.ts';
import { verifyRow } from './verify-row.ts';

const refusal = (code: string) => jsonAnswer(Number(code.slice(0, 3)), problem(code));
const ok = { status: 200, headers: new Map(), body: Buffer.from('{}') };
const row: MalformedRow = { name: 'row', request: '', answers: ['200', '404 404'], leaves: 'open', ends: false };

test('a row holds if every answer and the state of the connection are as expected', () => {
  expect(verifyRow(row, { answers: [ok, refusal('404')], leaves: 'open' })).toBeNull();
});

test('reports an additional or missing answer, another code or another state of the connection', () => {
  const hidden = verifyRow(row, { answers: [ok, refusal('404'), ok], leaves: 'open' });
  expect(hidden).toBe('200, 404 404, 200, then open, instead of 200, 404 404, then open');
  expect(verifyRow(row, { answers: [ok], leaves: 'open' })).toContain('instead of');
  expect(verifyRow(row, { answers: [ok, refusal('400.1')], leaves: 'open' })).toContain('400 400.1');
  expect(verifyRow(row, { answers: [ok, refusal('404')], leaves: 'hangs' })).toContain('then hangs');
});

test('reports a refusal in another shape', () => {
  const bare = { ...refusal('404'), headers: new Map() };
  expect(verifyRow(row, { answers: [ok, bare], leaves: 'open' })).toBe('404 is invalid: its X-Request-Id');
});
