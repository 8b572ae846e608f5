import { setImmediate } from 'node:timers/promises';
import type { Store } from '../src/index.ts';

/** Resolves once the store sees the commits of other stores: a turn later on SQLite, within a second on PostgreSQL. */
export async function caughtUp(store: Store, tenant: string, ids: readonly string[]): Promise<void> {
  await setImmediate();
  if (store.engine === 'sqlite') return;
  const deadlineMs = performance.now() + 1_000;
  const { changeId } = await store.sod.loadRulebook(tenant);
  for (const id of ids) {
    const assigned = await store.sod.readAssignments(tenant, id);
    for (;;) {
      const version = await store.sod.readVersion(tenant, id);
      if (version.changeId === changeId && version.revision === (assigned?.revision ?? null)) break;
      if (performance.now() > deadlineMs) throw new Error(`After a second ${id} is still seen as it was.`);
      await setImmediate();
    }
  }
}
