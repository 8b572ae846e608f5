import { setImmediate } from 'node:timers/promises';
import { createScheduler } from '@access-admin/scheduling';
import { expect, test } from 'vitest';
import { createJobs } from '../../event-loop/jobs.ts';
import { createLintRulebooks } from './lint-rulebooks.ts';

/** Loads whose reads of these tenants wait until they are let through. */
function openLoads(heldTenants: readonly string[]) {
  const gates = new Map(heldTenants.map((tenant) => [tenant, Promise.withResolvers<void>()]));
  const elapsed = () => performance.now();
  const scheduler = createScheduler({ elapsed, dueAfterMs: 2 });
  const read: string[] = [];
  const running = new Set<string>();
  let runningMax = 0;
  const load = createLintRulebooks({
    sod: {
      loadRulebook: async (tenant) => {
        read.push(tenant);
        running.add(tenant);
        runningMax = Math.max(runningMax, running.size);
        await gates.get(tenant)?.promise;
        running.delete(tenant);
        return {
          policies: [],
          policySetVersion: 1,
          changeId: '1',
          catalogue: { entitlements: [], accessProfiles: [], roles: [] },
        };
      },
      readPolicyChanges: async () => null,
    },
    jobs: createJobs({ scheduler, elapsed, workMsMax: 30_000 }),
    keptBytesMax: 1,
  });
  return { load, read, open: (tenant: string) => gates.get(tenant)?.resolve(), runningMax: () => runningMax };
}

test('a load of one tenant that does not end delays no other tenant', async () => {
  const { load, read, open } = openLoads(['slow']);
  const slow = load('slow');
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  // Later requests of a tenant wait for its present load, and take no slot from others.
  const again = load('slow');
  await load('a');
  await load('b');
  expect(read).toEqual(['slow', 'a', 'b']);
  open('slow');
  await Promise.all([slow, again]);
});

test('two rulebooks at most are loaded at the same time', async () => {
  const tenants = ['a', 'b', 'c', 'd'];
  const { load, open, runningMax } = openLoads(tenants);
  const loads = tenants.map(load);
  for (const tenant of tenants) {
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    open(tenant);
  }
  await Promise.all(loads);
  expect(runningMax()).toBe(2);
});
