import { strictEqual } from 'node:assert/strict';
import { openStore } from '@access-admin/store';

const LEASE_MS = 30_000;
const BATCH = 100;
const TENANT = 'acme';

export const CALLERS = 64;
export const CHECKS = 3_200;

/** Checks that 64 callers enqueue, and a worker then claims and completes, one round after the other. */
export interface DurableChecks extends AsyncDisposable {
  readonly name: string;
  /** Milliseconds until all checks were stored, and until all had their result. Throws unless each has one. */
  playRound(): Promise<{ readonly enqueueMs: number; readonly drainMs: number }>;
}

export async function openDurableChecks(name: string, databaseUrl: string): Promise<DurableChecks> {
  const { checks, close } = await openStore(databaseUrl);
  const enqueueAll = async () => {
    let next = 0;
    const call = async () => {
      while (next < CHECKS) {
        const number = next++;
        const outcome = await checks.enqueue(checkOf(number), Number.MAX_SAFE_INTEGER);
        strictEqual(outcome, 'stored');
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
  };
  const drain = async () => {
    let done = 0;
    for (;;) {
      const claims = await checks.claim({ nowMs: Date.now(), leaseMs: LEASE_MS, limit: BATCH });
      if (claims.length === 0) return done;
      const completed = new Date().toISOString();
      const completions = claims.map(({ tenant, requestId, created, fence }) => ({
        tenant,
        requestId,
        created,
        fence,
        completed,
        state: 'SUCCESS' as const,
        result: '{"message":null,"clientMetadata":null,"violationContexts":[],"violatedPolicies":[]}',
      }));
      done += await checks.complete(completions);
    }
  };
  return {
    name,
    playRound: async () => {
      const start = performance.now();
      await enqueueAll();
      const enqueued = performance.now();
      strictEqual(await drain(), CHECKS);
      return { enqueueMs: enqueued - start, drainMs: performance.now() - enqueued };
    },
    [Symbol.asyncDispose]: close,
  };
}

const checkOf = (number: number) => ({
  tenant: TENANT,
  requestId: crypto.randomUUID(),
  created: new Date().toISOString(),
  identityId: `identity-${number}`,
  accessRefs: [1, 2, 3].map((step) => ({ type: 'ENTITLEMENT' as const, id: `entitlement-${number * step}` })),
  clientMetadata: null,
});
