import { join } from 'node:path';
import { openFolder } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { BATCH, type DurableQueue } from './durable-queue.ts';

const LEASE_MS = 30_000;
const TENANT = 'acme';

/** Our store on a SQLite file, with `synchronous=FULL`: the store refuses to open without it. */
export async function openSqliteQueue(): Promise<DurableQueue & AsyncDisposable & { readonly folder: string }> {
  const folder = openFolder('bench');
  const queue = await openOwnQueue('access-admin, SQLite', `sqlite:${join(folder.path, 'queue.db')}`);
  return {
    ...queue,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await queue[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Our store on either engine. */
export async function openOwnQueue(name: string, databaseUrl: string): Promise<DurableQueue & AsyncDisposable> {
  const store = await openStore(databaseUrl);
  const numbers = new Map<string, number>();
  return {
    name,
    async enqueue({ number, requestId, identityId, accessRefs }) {
      numbers.set(requestId, number);
      const created = new Date().toISOString();
      const check = { tenant: TENANT, requestId, created, identityId, accessRefs, clientMetadata: null };
      const outcome = await store.checks.enqueue(check, Number.MAX_SAFE_INTEGER);
      if (outcome !== 'stored') throw new Error(outcome);
    },
    async drain(done) {
      for (;;) {
        const request = { nowMs: Date.now(), leaseMs: LEASE_MS, limit: BATCH, attemptsMax: 1 };
        const claims = await store.checks.claim(request);
        if (claims.length === 0) return;
        const completed = new Date().toISOString();
        const completions = claims.map(({ tenant, requestId, created, fence }) => ({
          ...{ tenant, requestId, created, fence, completed },
          state: 'SUCCESS' as const,
          result: '{"message":null,"clientMetadata":null,"violationContexts":[],"violatedPolicies":[]}',
        }));
        let effective = 0;
        // While another process numbers its events, none takes effect.
        for (let isLocked = true; isLocked; ) {
          const completed = await store.checks.complete(completions);
          effective += completed.effective;
          isLocked = completed.lockedTenants.size > 0;
        }
        if (effective !== claims.length) throw new Error(`${effective} of ${claims.length} completions took effect.`);
        for (const { requestId } of claims) done(numbers.get(requestId) ?? Number.NaN);
      }
    },
    async [Symbol.asyncDispose]() {
      await store.close();
    },
  };
}
