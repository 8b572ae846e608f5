import {
  createScanEvaluator,
  enforcedPlaces,
  type HeldViolation,
  heldViolationOf,
  nextInstantAfter,
  type PolicyPlace,
} from '@access-admin/domain';
import { type StoredViolation, unpackAccess } from '@access-admin/store';
import { type Evaluation, evaluateShard } from '../reports/evaluate-shard.ts';
import { loadExceptions, type ReportExceptions } from '../reports/exceptions.ts';
import type { Population } from '../reports/population.ts';
import type { PreparedReport } from '../reports/prepare.ts';
import type { Shard } from '../reports/shard.ts';
import { type Comparison, compareIdentities } from './compare-identities.ts';
import { type ByIdentity, groupByIdentity, readExceptions } from './exceptions.ts';

export interface PopulationComparison extends Comparison {
  readonly population: Population;
  readonly at: string;
  /** The policies to compare; null for all of them, and for the next instants. */
  readonly policyIds: readonly string[] | null;
  /** The exceptions of a shard that are kept in memory. */
  readonly exceptionsMax: number;
  /** Identities that have been compared already. More are added while it goes on. */
  readonly done: ReadonlySet<string>;
}

/** Compares all identities with the stored violations, shard by shard. */
export async function comparePopulation(comparison: PopulationComparison): Promise<void> {
  const { source, population, policyIds, index, at, pause } = comparison;
  const all = createScanEvaluator(index);
  const chosen = policyIds === null ? null : new Set(policyIds);
  const policies = chosen === null ? all.policies : all.policies.filter((number) => chosen.has(all.policyIdAt(number)));
  const prepared: PreparedReport = { evaluator: { ...all, policies }, affectedRefs: null, endedApprovals: new Set() };
  await population.refresh(source, pause);
  const places = enforcedPlaces(index);
  for (let number = 0; number < population.shardCount; number++) {
    const shard = await population.open(number, source, pause);
    const approved = await readExceptions(comparison, population.rangeOf(number));
    if (approved === null) {
      await compareOneByOne(comparison, number);
      continue;
    }
    const pages = {
      approvedExceptions: async function* () {
        yield approved;
      },
    };
    const exceptions = (await loadExceptions(pages, prepared, { instant: at, pause })) ?? new Map();
    await compareShard({ ...comparison, prepared, exceptions, places }, shard, number);
    const excepted = policyIds === null ? groupByIdentity(approved) : null;
    if (excepted !== null) await compareDue(comparison, { shard, number, excepted });
  }
}

/** Compares a shard whose exceptions are too many for the memory. */
async function compareOneByOne(comparison: PopulationComparison, number: number): Promise<void> {
  const { source, population, done } = comparison;
  const range = population.rangeOf(number);
  for await (const page of source.identityIds(range)) {
    const ids = page.filter((id) => !done.has(id));
    await compareIdentities(comparison, ids);
  }
  // Those that no longer exist are left.
  const left = async (ids: readonly string[]) => {
    const existing = new Set((await source.readIdentities(ids)).map(({ id }) => id));
    return ids.filter((id) => !existing.has(id) && !done.has(id));
  };
  for await (const page of source.storedIn(range, null)) {
    const ids = [...new Set(page.map(({ identity_id }) => identity_id))];
    await compareIdentities(comparison, await left(ids));
  }
  for await (const page of source.dueIn(range))
    await compareIdentities(comparison, await left(page.map(({ identityId }) => identityId)));
}

interface ShardComparison extends PopulationComparison {
  readonly prepared: PreparedReport;
  readonly exceptions: ReportExceptions;
  readonly places: readonly PolicyPlace[];
}

const keyOf = (policyId: string, identityId: string): string => `${policyId}\n${identityId}`;

async function compareShard(comparison: ShardComparison, shard: Shard, number: number): Promise<void> {
  const { source, population, policyIds, done, prepared, index, atMs, at, exceptions, differences, pause } = comparison;
  const stored = new Map<string, StoredViolation>();
  for await (const page of source.storedIn(population.rangeOf(number), policyIds)) {
    for (const each of page) if (!done.has(each.identity_id)) stored.set(keyOf(each.policy_id, each.identity_id), each);
    await pause();
  }
  const data = { catalogue: index.catalogue, population, nowMs: atMs, at, exceptions };
  const emit = createComparer(comparison, stored);
  const pauseAndSave = () => (differences.isFull() ? differences.saveIfFull(pause) : pause());
  await evaluateShard({ shard, prepared, data, emit, pause: pauseAndSave });
  let rest: StoredViolation[] = [];
  const endRest = async () => {
    const ids = [...new Set(rest.map(({ identity_id }) => identity_id))];
    const existing = new Set((await source.readIdentities(ids)).map(({ id }) => id));
    for (const each of rest)
      differences.end(each, existing.has(each.identity_id) ? comparison.endedStatus(each.policy_id) : 'Closed');
    rest = [];
    await differences.saveIfFull(pause);
    await pause();
  };
  for (const each of stored.values()) {
    if (done.has(each.identity_id)) continue;
    rest.push(each);
    if (rest.length === ENDED_AT_ONCE) await endRest();
  }
  if (rest.length > 0) await endRest();
}

const ENDED_AT_ONCE = 100;

/** Receives the violations of a shard as a report would, and compares each with the stored one, which it removes. */
function createComparer(
  { places, index, done, differences }: ShardComparison,
  stored: Map<string, StoredViolation>,
): Evaluation['emit'] {
  let current = -1;
  // Many identities violate a policy by the same items.
  const heldByItems = new Map<string, HeldViolation>();
  const heldOf = (policy: number, items: readonly number[]): HeldViolation | null => {
    const place = places[policy];
    if (place === undefined) return null;
    if (policy !== current || heldByItems.size > ITEMS_MAX) heldByItems.clear();
    current = policy;
    const key = items.join();
    const shown = new Set(items.map((item) => item >>> 1));
    const held = heldByItems.get(key) ?? heldViolationOf(index, place, (at) => shown.has(at));
    heldByItems.set(key, held);
    return held;
  };
  return (policy, { identityId, displayName, items, exception }) => {
    const held = heldOf(policy, items);
    if (held === null || done.has(identityId)) return;
    const key = keyOf(held.policyId, identityId);
    differences.compare({ ...held, identityId, targetName: displayName ?? identityId, exception }, stored.get(key));
    stored.delete(key);
  };
}

const ITEMS_MAX = 10_000;

interface ShardDue {
  readonly shard: Shard;
  readonly number: number;
  readonly excepted: ByIdentity;
}

/** Compares the next instants of the identities of a shard with those stored. */
async function compareDue(comparison: PopulationComparison, { shard, number, excepted }: ShardDue): Promise<void> {
  const { source, population, done, atMs, differences, pause } = comparison;
  const range = population.rangeOf(number);
  const stored = new Map<string, string>();
  for await (const page of source.dueIn(range)) {
    for (const { identityId, due } of page) if (!done.has(identityId)) stored.set(identityId, due);
    await pause();
  }
  const ids = new Set([...shard.reevaluated.keys(), ...excepted.keys()]);
  for (const id of ids) {
    if (done.has(id)) continue;
    const identity = shard.reevaluated.get(id);
    const assignments = identity === undefined ? [] : unpackAccess(identity.access);
    const next = nextInstantAfter(atMs, assignments, excepted.get(id) ?? []);
    const due = next === null ? null : new Date(next).toISOString();
    if (due !== (stored.get(id) ?? null)) differences.setDue(id, due);
    stored.delete(id);
    await differences.saveIfFull(pause);
    await pause();
  }
  for (const id of stored.keys()) if (!done.has(id)) differences.setDue(id, null);
  await differences.saveIfFull(pause);
}
