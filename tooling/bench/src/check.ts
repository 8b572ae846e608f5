import { openService } from '@access-admin/e2e';
import { spreadOf } from './measure.ts';
import { printTable, spreadText, writeResults } from './report.ts';

const CHECKS = 200;

/** From the answer that accepts a check to its result, with nothing else to do, in milliseconds; API and worker are two processes. */
export async function run(): Promise<void> {
  await using service = openService();
  const { client } = await service.startApi();
  service.startWorker();
  await client.accessModel.import([
    { kind: 'entitlement', id: 'e', name: 'E' },
    { kind: 'identityProfile', id: 'ip', name: 'Employees' },
    { kind: 'identity', id: 'i', uid: 'i', identityProfile: 'ip' },
  ]);
  const access = { identityId: 'i', accessRefs: [{ type: 'ENTITLEMENT', id: 'e' }] } as const;
  const waits: number[] = [];
  for (let turn = 0; turn <= CHECKS; turn++) {
    const { requestId } = await client.sodViolations.check(access);
    const accepted = performance.now();
    await client.sodViolations.waitForCheck(requestId);
    // The first has the connections to open.
    if (turn > 0) waits.push(performance.now() - accepted);
  }
  const milliseconds = { ...spreadOf(waits), p95: waits.toSorted((a, b) => a - b)[Math.floor(CHECKS * 0.95)] ?? 0 };
  printTable(
    ['accepted to result, ms', 'median (range)', 'p95'],
    [[`${CHECKS} checks, one at a time`, spreadText(milliseconds), milliseconds.p95.toFixed(1)]],
  );
  writeResults('check', { checks: CHECKS, milliseconds });
}
