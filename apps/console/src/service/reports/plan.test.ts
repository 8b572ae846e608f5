import type { AccessAdminClient, FixStep, SodViolation } from '@access-admin/client';
import { expect, test } from 'vitest';
import { writeCsv } from './file.ts';
import { filterSteps, judgeStep, levelOf, readStep, STEP_COLUMNS } from './plan.ts';

const stepOf = (step: number, given: Partial<FixStep> = {}): FixStep => ({
  step,
  identityId: 'i-1',
  displayName: 'Kim',
  revoke: { type: 'ROLE', id: 'r-1', name: 'Clerk' },
  ends: [{ policyId: 'p-1', policyName: 'Pay and post', level: 'HIGH' }],
  alsoLoses: [],
  ...given,
});

const AS_OF = '2026-11-30T10:00:00.000Z';
const left = [{ id: 'v-1' } as SodViolation];

test('what the register shows as of now is still there, and what it does not show is gone', () => {
  const answeredMs = Date.parse(AS_OF) + 900;
  expect(judgeStep({ left, asOf: AS_OF, answeredMs }, AS_OF).state).toBe('PRESENT');
  expect(judgeStep({ left: [], asOf: AS_OF, answeredMs }, AS_OF).state).toBe('GONE');
  // A proxy may take the time of the answer away.
  expect(judgeStep({ left, asOf: AS_OF, answeredMs: null }, AS_OF).state).toBe('PRESENT');
});

test('a register that is behind cannot tell: what it shows may have ended', () => {
  const answeredMs = Date.parse(AS_OF) + 60_000;
  expect(judgeStep({ left, asOf: AS_OF, answeredMs }, AS_OF).state).toBe('LATE');
  expect(judgeStep({ left: [], asOf: AS_OF, answeredMs }, AS_OF).state).toBe('GONE');
  // It is not as far as the plan, which has found the violation.
  expect(judgeStep({ left: [], asOf: AS_OF, answeredMs }, '2026-11-30T10:00:00.001Z').state).toBe('LATE');
  expect(judgeStep({ left: [], asOf: null, answeredMs }, AS_OF)).toEqual({ state: 'LATE', left: [], asOf: null });
});

test('a step is read by its person and policies, with the earliest moment of all parts', async () => {
  const asked: unknown[] = [];
  const moments = ['2026-11-30T10:00:02.000Z', AS_OF];
  const call = async (options: { readonly query: { readonly filters: string } }) => {
    const asOf = moments[asked.length] ?? '';
    asked.push(options.query.filters);
    const headers = new Headers({ 'x-as-of': asOf, date: 'Mon, 30 Nov 2026 10:00:03 GMT' });
    return { value: left, headers };
  };
  // Two parts: ids of this length fill an address.
  const ends = Array.from({ length: 30 }, (_, at) => ({
    policyId: `${'p'.repeat(60)}${at}`,
    policyName: '',
    level: 'LOW' as const,
  }));
  const read = await readStep({ call } as unknown as AccessAdminClient, stepOf(1, { ends }));
  expect(asked.length).toBe(2);
  expect(asked[0]).toMatch(/^targetId eq "i-1" and policyId in \("p+0", .*\) and status in \("Open", "Mitigated"\)$/);
  expect(read).toEqual({ left: [...left, ...left], asOf: AS_OF, answeredMs: Date.parse('2026-11-30T10:00:03.000Z') });
});

test('steps are filtered by person and by the levels of what they end, of which the highest counts', () => {
  const steps = [
    stepOf(1),
    stepOf(2, {
      identityId: 'i-2',
      ends: [
        { policyId: 'p-2', policyName: '', level: 'LOW' },
        { policyId: 'p-3', policyName: '', level: 'CRITICAL' },
      ],
    }),
  ];
  const found = (search: Parameters<typeof filterSteps>[1]) => filterSteps(steps, search).map(({ step }) => step);
  expect([
    found({}),
    found({ level: 'LOW' }),
    found({ person: 'i-1' }),
    found({ level: 'HIGH', person: 'i-2' }),
  ]).toEqual([[1, 2], [2], [1], []]);
  expect(steps.map(levelOf)).toEqual(['HIGH', 'CRITICAL']);
});

test('a file of steps has the columns of the command, and when a step was handed over', async () => {
  const steps = [
    stepOf(1, {
      displayName: '=1+1',
      revoke: { type: 'ROLE', id: 'r-1', name: 'Clerk, senior', sources: ['erp', 'ad'] },
      alsoLoses: [{ type: 'ENTITLEMENT', id: 'e-1', name: 'Read' }],
      handedOver: '2026-03-01T12:00:00.000Z',
    }),
  ];
  expect((await Array.fromAsync(writeCsv(STEP_COLUMNS, [steps]))).join('')).toBe(
    [
      'step,identity,name,type,revoke,revoked,ends,also loses,sources,handed over',
      `1,i-1,'=1+1,ROLE,r-1,"Clerk, senior",p-1,e-1,erp ad,2026-03-01T12:00:00.000Z`,
      '',
    ].join('\r\n'),
  );
});
