import type { RunningApi } from '@access-admin/harness';
import { p95Of, spreadOf, takeTurns } from '../measure/rounds.ts';
import { openMeasuredService } from '../servers/open-measured-service.ts';

const CHECKS = 50;

/** Time from the answer that accepts a check to its result on an idle service; API and worker are two processes. */
export interface IdleWaits {
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** The results by round. */
export async function measureAcceptedToResult(): Promise<readonly IdleWaits[]> {
  await using service = openMeasuredService();
  const { client } = await service.startApi();
  service.startWorker();
  await importOneIdentity(client);
  const [rounds = []] = await takeTurns([client], waitForChecks);
  return rounds;
}

export async function importOneIdentity(client: RunningApi['client']): Promise<void> {
  await client.accessModel.import([
    { kind: 'entitlement', id: 'e', name: 'E' },
    { kind: 'identityProfile', id: 'ip', name: 'Employees' },
    { kind: 'identity', id: 'i', uid: 'i', identityProfile: 'ip' },
  ]);
}

/** Sends 50 checks one after the other. */
export async function waitForChecks(client: RunningApi['client']): Promise<IdleWaits> {
  const access = { identityId: 'i', accessRefs: [{ type: 'ENTITLEMENT', id: 'e' }] } as const;
  const waits: number[] = [];
  for (let check = 0; check < CHECKS; check++) {
    const { requestId } = await client.sodViolations.check(access);
    const accepted = performance.now();
    await client.sodViolations.waitForCheck(requestId);
    waits.push(performance.now() - accepted);
  }
  return { medianMs: spreadOf(waits).median, p95Ms: p95Of(waits) };
}
