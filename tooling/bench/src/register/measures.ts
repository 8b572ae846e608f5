import { strictEqual } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccessAdminClient } from '@access-admin/client';
import type { Store } from '@access-admin/store';
import { waitUntil } from '../measure/wait-until.ts';
import { importRecords, TENANT } from '../world/seed-population.ts';
import { POLICY_OF_CHANGES, personName, policyOfManyId, type RegisterWorld } from './register-world.ts';

const LOOK_EVERY_MS = 5;
// Looks at the head take processor time from the round.
const LOOK_AT_HEAD_EVERY_MS = 50;

/** Resolves when the register is complete up to now; returns the seconds that it took. */
export async function untilComplete({ violations }: Store): Promise<number> {
  const startMs = performance.now();
  const wanted = new Date().toISOString();
  await waitUntil(async () => {
    const { asOf } = await violations.readView(TENANT, new Date().toISOString());
    return asOf !== null && asOf >= wanted;
  }, LOOK_AT_HEAD_EVERY_MS);
  return (performance.now() - startMs) / 1000;
}

export const summaryOf = ({ violations }: Store) =>
  violations.summarize(TENANT, { now: new Date().toISOString(), days: 30 });

/** Seconds from the commit of a new policy until all of its violations are shown. */
export async function measurePolicy(store: Store, world: RegisterWorld, number: number): Promise<number> {
  await importRecords(store, [world.policyOfMany(number)]);
  const seconds = await untilComplete(store);
  const { byPolicy } = await summaryOf(store);
  strictEqual(byPolicy.find(({ policy }) => policy.id === policyOfManyId(number))?.open, world.many);
  return seconds;
}

/**
 * Milliseconds from the commit of each change of an identity's access until the register shows it. So many changes each open a
 * violation; when all of these are shown, as many end them.
 */
export async function measureChanges(store: Store, world: RegisterWorld, { count, perSecond }: Changes) {
  const awaited: Awaited = new Map();
  let isDone = false;
  const change = async (number: number, isOpen: boolean) => {
    await delay((number * 1000) / perSecond);
    const identity = world.changedIdentity(number, isOpen);
    await importRecords(store, [identity]);
    const committedMs = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    awaited.set(identity.id, { isOpen, seen: resolve });
    await promise;
    return performance.now() - committedMs;
  };
  const changeAll = (isOpen: boolean) =>
    Promise.all(Array.from({ length: count }, (_, number) => change(number, isOpen)));
  const play = async () => {
    const waitsMs = [...(await changeAll(true)), ...(await changeAll(false))];
    isDone = true;
    return waitsMs;
  };
  const [waitsMs] = await Promise.all([play(), watch(store, awaited, () => isDone)]);
  return waitsMs;
}

type Changes = Readonly<Record<'count' | 'perSecond', number>>;
/** By identity, whether its violation will be open, and what to call then. */
type Awaited = Map<string, { readonly isOpen: boolean; seen(): void }>;

/** Lists the violations of the identities that are awaited, again and again. */
async function watch({ violations }: Store, awaited: Awaited, isDone: () => boolean): Promise<void> {
  for (; !isDone(); await delay(LOOK_EVERY_MS)) {
    if (awaited.size === 0) continue;
    const conditions = [
      { field: 'targetId', operator: 'in', values: [...awaited.keys()] },
      { field: 'policyId', operator: 'in', values: [POLICY_OF_CHANGES] },
    ] as const;
    const query = { conditions, sorters: [], now: new Date().toISOString() };
    const page = await violations.list(TENANT, query, { limit: awaited.size, offset: 0, after: null });
    for (const { target, closed } of page.violations) {
      if (awaited.get(target.id)?.isOpen !== (closed === null)) continue;
      awaited.get(target.id)?.seen();
      awaited.delete(target.id);
    }
  }
}

type Violations = AccessAdminClient['violations'];

/** The lists that the console shows and integrations read. */
const LISTS: Readonly<Record<string, (turn: number) => NonNullable<Parameters<Violations['page']>[0]>>> = {
  newest: () => ({}),
  oldest: () => ({ sorters: 'created' }),
  'changed last': () => ({ sorters: '-modified' }),
  open: () => ({ filters: 'status eq "Open"' }),
  'open, critical first': () => ({ filters: 'status eq "Open"', sorters: '-level' }),
  'open and critical': () => ({ filters: 'status eq "Open" and level eq "Critical"' }),
  'of a policy': (turn) => ({ filters: `policyId eq "p${turn.toString(36)}"` }),
  'of a policy of many, critical first': () => ({ filters: `policyId eq "${policyOfManyId(0)}"`, sorters: '-level' }),
  'of an identity': (turn) => ({ filters: `targetId eq "i${turn.toString(36)}"` }),
  'open, of an owner': (turn) => ({ filters: `status eq "Open" and ownerId eq "i${(turn % 30).toString(36)}"` }),
  'part of the name of an identity': (turn) => ({ filters: `targetName co "${personName(turn).slice(-2)}"` }),
  'start of the name of an identity': (turn) => ({ filters: `targetName sw "${personName(turn)}"` }),
  'part of the name of a policy': (turn) => ({ filters: `policyName co "${turn}"` }),
};

/** Milliseconds of each list, of the summary, and of a probe for comparison, over HTTP. They take turns; the first turn warms up. */
export async function measureReads({ violations, health }: AccessAdminClient, turns: number) {
  const read = (name: string, call: (turn: number) => Promise<unknown>) => ({ name, call, ms: [] as number[] });
  const lists = Object.entries(LISTS).map(([name, of]) => read(name, (turn) => violations.page(of(turn))));
  const summary = read('summary', () => violations.summary());
  const probe = read('probe of readiness, for comparison', () => health.ready());
  for (let turn = 0; turn <= turns; turn++)
    for (const { call, ms } of [...lists, summary, probe]) {
      const startMs = performance.now();
      await call(turn);
      if (turn > 0) ms.push(performance.now() - startMs);
    }
  return { lists, summary, probe };
}
