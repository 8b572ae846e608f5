import type { AccessModelInput, AccessRef } from '@access-admin/client';
import { openTestService } from '@access-admin/harness';
import { expect, test } from 'vitest';
import { FORBIDDEN_GRANT, SMALL_COMPANY } from './small-company.ts';

const IDENTITIES = 30_000;
const KILLS = 3;

const idOf = (at: number) => `i-${String(at).padStart(6, '0')}`;
const BOTH: readonly AccessRef[] = [
  { type: 'ENTITLEMENT', id: 'e-vendor' },
  { type: 'ROLE', id: 'r-payments' },
];

/** Every third one violates the policy. */
const people: readonly AccessModelInput[] = Array.from({ length: IDENTITIES }, (_, at) => ({
  kind: 'identity',
  id: idOf(at),
  uid: idOf(at),
  identityProfile: 'ip-staff',
  displayName: `No. ${at}`,
  access: at % 3 === 0 ? BOTH : BOTH.slice(at % 2, (at % 2) + 1),
}));

test('a report whose workers are killed is completed by another, without missing or repeated findings', async () => {
  await using service = await openTestService();
  const { client } = await service.startApi();
  await client.accessModel.import([...SMALL_COMPANY, ...people]);
  const { reportId } = await client.sodReports.scan();
  const env = { CHECK_LEASE_MS: '500' };
  for (let kills = 0; kills < KILLS; kills++) {
    const worker = service.startWorker(env);
    const isAtWork = async () => {
      const { state, progress } = await client.sodReports.get(reportId);
      return state === 'SUCCESS' || progress > 0;
    };
    await expect.poll(isAtWork, { interval: 5 }).toBe(true);
    await worker.stop('SIGKILL');
  }
  service.startWorker(env);
  // Checks do not wait for the report.
  const { requestId } = await client.sodViolations.check(FORBIDDEN_GRANT);
  expect(await client.sodViolations.waitForCheck(requestId)).toMatchObject({ state: 'SUCCESS' });
  const report = await client.sodReports.waitFor(reportId, { timeoutMs: 60_000 });
  const found = IDENTITIES / 3;
  expect(report).toMatchObject({
    state: 'SUCCESS',
    progress: 1,
    policySetVersion: 1,
    summary: {
      identities: IDENTITIES + 3,
      new: 0,
      same: found,
      gone: 0,
      byPolicy: [{ policyId: 'p-1', name: 'Vendor and payment', level: 'CRITICAL', new: 0, same: found, gone: 0 }],
    },
  });
  const ids: string[] = [];
  for await (const { change, policyId, identityId } of client.sodReports.violations(reportId)) {
    expect([change, policyId]).toEqual(['same', 'p-1']);
    ids.push(identityId);
  }
  expect(ids).toEqual(people.filter((_, at) => at % 3 === 0).map(({ id }) => id));
});

test('a dry-run reports the effect of a rulebook change, and a blast radius that of a role', async () => {
  await using service = await openTestService();
  const { client } = await service.startApi();
  service.startWorker();
  await client.accessModel.import([...SMALL_COMPANY, ...people.slice(0, 6)]);
  const before = await client.sodPolicies.get('p-1');
  const side = (id: string) => ({ name: null, criteriaList: [{ type: 'ENTITLEMENT' as const, id }] });
  const criteria = { leftCriteria: side('e-pay'), rightCriteria: side('e-report') };
  const { reportId } = await client.sodReports.dryRun({
    add: [{ id: 'p-2', name: 'Pay and report', conflictingAccessCriteria: criteria }],
    remove: ['p-1'],
  });
  const { summary } = await client.sodReports.waitFor(reportId);
  // Holders of the role can pay and report: three of the six, the one added before, and the two that violate already.
  if (summary === null || !('byPolicy' in summary)) throw new Error('A dry-run has counts by policy.');
  expect(summary.byPolicy.map(({ policyId, ...counts }) => [policyId, counts.new, counts.same, counts.gone])).toEqual([
    ['p-1', 0, 0, 2],
    ['p-2', 5, 0, 0],
  ]);
  expect(await client.sodPolicies.get('p-1')).toEqual(before);
  await expect(client.sodPolicies.get('p-2')).rejects.toMatchObject({ status: 404 });

  const gain = await client.sodReports.blastRadius({
    kind: 'role',
    id: 'r-payments',
    add: [{ type: 'ENTITLEMENT', id: 'e-vendor' }],
  });
  expect((await client.sodReports.waitFor(gain.reportId)).summary).toMatchObject({
    identities: 5,
    new: 3,
    same: 0,
    gone: 0,
  });
  const newly = [];
  for await (const violation of client.sodReports.violations(gain.reportId, { change: 'new', policyId: 'p-1' }))
    newly.push(violation);
  expect(newly.map(({ identityId }) => identityId)).toEqual(['i-000001', 'i-000005', 'i-ben']);
  const [{ conflictingAccessCriteria } = { conflictingAccessCriteria: null }] = newly;
  expect(conflictingAccessCriteria).toEqual({
    leftCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e-vendor', name: 'Vendor: create', existing: false }] },
    rightCriteria: {
      criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay', name: 'AP: release payment', existing: true }],
    },
  });
});
