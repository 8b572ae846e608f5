import type { SodCheck } from '@access-admin/domain';
import { expect, test } from 'vitest';
import { createCheckLedger } from './check-ledger.ts';

const result = (mark: string) => ({
  message: null,
  clientMetadata: { mark },
  violationContexts: [],
  violatedPolicies: [{ type: 'SOD_POLICY' as const, id: 'p-vendor', name: 'Vendor and payment' }],
  violationCount: 1,
  omitted: 0,
});
const pending: SodCheck = {
  requestId: 'r',
  created: '2026-11-21T09:30:00.000Z',
  state: 'PENDING',
  completed: null,
  violationCheckResult: null,
};
const done: SodCheck = {
  ...pending,
  state: 'SUCCESS',
  completed: '2026-11-21T09:30:01.000Z',
  violationCheckResult: result('0/0'),
};

function ledgerOf(...seen: readonly (SodCheck | null)[]) {
  const ledger = createCheckLedger();
  ledger.acknowledge('r', '0/0');
  for (const check of seen) ledger.observe('r', check);
  return ledger;
}

test('a check is open until its result is read', () => {
  expect(ledgerOf(pending).open()).toEqual(['r']);
  expect(ledgerOf(pending, done, done).open()).toEqual([]);
  expect(ledgerOf(pending, done, done).faults).toEqual([]);
});

test.each([
  ['a check that is missing', [null], 'is missing'],
  ['a check that is missing after its result was read', [done, null], 'is missing'],
  ['a result that changes', [done, { ...done, completed: '2026-11-21T09:30:02.000Z' }], 'a result changed'],
  ['a result that becomes pending again', [done, pending], 'a result changed'],
  ['an error', [{ ...done, state: 'ERROR' as const }], 'a wrong result'],
  ['the result of another check', [{ ...done, violationCheckResult: result('0/1') }], 'a wrong result'],
  [
    'a result without the violation',
    [{ ...done, violationCheckResult: { ...result('0/0'), violatedPolicies: [] } }],
    'a wrong result',
  ],
])('reports %s', (_, seen, fault) => {
  expect(ledgerOf(...seen).faults).toEqual([expect.stringContaining(fault)]);
});

test('reports one id for two checks', () => {
  const ledger = ledgerOf();
  ledger.acknowledge('r', '0/1');
  expect(ledger.faults).toEqual(['two checks were acknowledged as r']);
});
