import { createClusterDatabase } from '@access-admin/harness';
import { describe } from 'vitest';
import { openPostgresStore } from '../src/assembly/postgres.ts';
import { createCheckQueue } from '../src/checks/store.ts';
import { createChangedTenants } from '../src/engine/citus/changed-tenants.ts';
import { onSeveralServers } from '../src/engine/citus/several-servers.ts';
import { openPostgresDatabase } from '../src/engine/postgres/database.ts';
import { POSTGRES_LIMITS } from '../src/engine/postgres/limits.ts';
import { tenantScope } from '../src/engine/scope.ts';
import type { CheckQueue, Store } from '../src/index.ts';
import { ensureTenant } from '../src/record/tenants/versions.ts';
import type { StoreEngine } from './store-engine.ts';
import { describeChecks } from './suite/check-suite.ts';
import { describeEvents } from './suite/event-suite.ts';
import { describeHeldChecks } from './suite/held-check-suite.ts';
import { describeSessions } from './suite/session-suite.ts';

/** Each claim waits for the look at all tenants that a worker has once a second, and which finds tenants by their rows. */
async function open(url: string): Promise<Store> {
  const store = await openPostgresStore({ url });
  const database = openPostgresDatabase({ url, limits: POSTGRES_LIMITS, layout: 'distributed', migrations: {} });
  const changedTenants = createChangedTenants(database.commits);
  const tenants = new Map<string, Promise<unknown>>();
  let nowMs = 0;
  let looking: Promise<unknown> | null = null;
  const queue = createCheckQueue({
    ...database,
    ...onSeveralServers(database, {
      ...changedTenants,
      now: () => nowMs,
      unlessAway: (work) => {
        const look = changedTenants.unlessAway(work);
        looking = look;
        return look;
      },
    }),
  });
  const ensure = (tenant: string) => database.write(tenantScope(tenant), (trx) => ensureTenant(trx, tenant, null));
  const enqueue: CheckQueue['enqueue'] = async (check, backlogMax) => {
    const row = tenants.get(check.tenant) ?? ensure(check.tenant);
    tenants.set(check.tenant, row);
    await row;
    return store.checks.enqueue(check, backlogMax);
  };
  const claim: CheckQueue['claim'] = async (request) => {
    nowMs += 1_000;
    await queue.claim({ ...request, tenantMax: 0 });
    await looking;
    return queue.claim(request);
  };
  const close = async () => void (await Promise.all([store.close(), database.close()]));
  return { ...store, checks: { ...store.checks, enqueue, claim }, close };
}

const ENGINE: StoreEngine = { name: 'postgres', open, createDatabase: () => createClusterDatabase() };

describe('a store on Citus', () => {
  describeChecks(ENGINE);
  describeHeldChecks(ENGINE);
  describeEvents(ENGINE);
  describeSessions(ENGINE);
});
