import {
  createScanEvaluator,
  enforcedPlaces,
  type HeldViolation,
  heldViolationOf,
  nextInstantAfter,
  type PolicyPlace,
  placeOfItem,
  type SodIndex,
} from '@access-admin/domain';
import { type IdentityException, type RegisterSource, type StoredViolation, unpackAccess } from '@access-admin/store';
import { type Evaluation, evaluateShard } from '../reports/evaluate-shard.ts';
import { loadExceptions } from '../reports/exceptions.ts';
import type { Population } from '../reports/population.ts';
import type { PreparedReport } from '../reports/prepare.ts';
import { hasIdentity, idsOf, type Shard } from '../reports/shard.ts';
import { type Comparison, compareIdentities } from './compare-identities.ts';
import type { RoundPlan } from './plan-round.ts';

export interface PopulationComparison extends Comparison {
  /** Opens the present data, for as long as some of them are read. */
  open(): Promise<RegisterSource>;
  /** The rulebook of the plan. */
  readonly index: SodIndex;
  /** Which policies are compared; the next instants of identities, too, where all of them are. */
  readonly plan: Pick<RoundPlan, 'kind' | 'start' | 'policies' | 'endedStatus'>;
  readonly population: Population;
  /** Filled here with the identities that have changed since the plan was made; the catch-up compares them. */
  readonly skipped: Set<string>;
  /** The exceptions of a shard that are kept in memory. */
  readonly exceptionsMax: number;
}

/** What is known of the identities of a shard. */
interface ShardData {
  readonly shard: Shard;
  readonly stored: ReadonlyMap<string, StoredViolation>;
  /** The next instants by identity; none where some policies are compared. */
  readonly due: ReadonlyMap<string, string>;
  /** Null where they are too many for the memory. */
  readonly exceptions: readonly IdentityException[] | null;
}

/** Whether some policies are compared for all identities, not all of them. */
const isOfSome = ({ kind }: PopulationComparison['plan']): boolean => kind === 'changes';

/** Compares all identities with the stored violations, shard by shard. No snapshot is open while a shard is compared. */
export async function comparePopulation(comparison: PopulationComparison): Promise<void> {
  const { population, plan, index, pause, differences } = comparison;
  const all = createScanEvaluator(index);
  const chosen = new Set(plan.policies);
  const policies = isOfSome(plan) ? all.policies.filter((number) => chosen.has(all.policyIdAt(number))) : all.policies;
  const prepared: PreparedReport = { evaluator: { ...all, policies }, affectedRefs: null };
  const places = enforcedPlaces(index);
  {
    await using source = await comparison.open();
    await population.refresh(source, pause);
  }
  for (let number = 0; number < population.shardCount; number++) {
    const data = await readShard(comparison, number);
    const { exceptions } = data;
    if (exceptions === null) await compareOneByOne(comparison, data);
    else {
      await compareShard({ ...comparison, prepared, places }, { ...data, exceptions });
      if (!isOfSome(plan)) await compareDue(comparison, data, exceptions);
    }
    await differences.save(pause);
  }
}

async function readShard(comparison: PopulationComparison, number: number): Promise<ShardData> {
  const { population, plan, skipped, exceptionsMax, pause } = comparison;
  const policyIds = isOfSome(plan) ? plan.policies : null;
  await using source = await comparison.open();
  const shard = await population.open(number, source, pause);
  const range = population.rangeOf(number);
  for (const id of await source.changedIn(range, plan.start.identityRevision)) skipped.add(id);
  const stored = new Map<string, StoredViolation>();
  for await (const page of source.storedIn(range, policyIds)) {
    for (const each of page) stored.set(keyOf(each.policy_id, each.identity_id), each);
    await pause();
  }
  const due = new Map<string, string>();
  if (!isOfSome(plan))
    for await (const page of source.dueIn(range)) {
      for (const each of page) due.set(each.identityId, each.due);
      await pause();
    }
  const exceptions: IdentityException[] = [];
  for await (const page of source.exceptionsIn(range, { endAfter: plan.start.asOf, policyIds })) {
    if (exceptions.length + page.length > exceptionsMax) return { shard, stored, due, exceptions: null };
    exceptions.push(...page);
    await pause();
  }
  return { shard, stored, due, exceptions };
}

/** Compares a shard whose exceptions are too many for the memory. */
async function compareOneByOne(comparison: PopulationComparison, { shard, stored, due }: ShardData): Promise<void> {
  const ids = new Set([...idsOf(shard), ...due.keys()]);
  for (const { identity_id } of stored.values()) ids.add(identity_id);
  await compareIdentities(comparison, [...ids]);
}

interface ShardComparison extends PopulationComparison {
  readonly prepared: PreparedReport;
  readonly places: readonly PolicyPlace[];
}

const keyOf = (policyId: string, identityId: string): string => `${policyId}\n${identityId}`;

async function compareShard(
  comparison: ShardComparison,
  data: ShardData & { readonly exceptions: readonly IdentityException[] },
): Promise<void> {
  const { population, plan, prepared, index, atMs, differences, pause } = comparison;
  const at = plan.start.asOf;
  const { shard, exceptions } = data;
  const left = new Map(data.stored);
  const pages = {
    approvedExceptions: async function* () {
      yield exceptions;
    },
  };
  const covering = (await loadExceptions(pages, prepared.evaluator, { instant: at, pause })) ?? new Map();
  await evaluateShard({
    shard,
    prepared,
    data: { catalogue: index.catalogue, population, nowMs: atMs, at, exceptions: covering },
    emit: createComparer(comparison, left),
    pause: () => (differences.isFull() ? differences.save(pause) : pause()),
  });
  for (const each of left.values()) {
    differences.end(each, hasIdentity(shard, each.identity_id) ? plan.endedStatus(each.policy_id) : 'Closed');
    if (differences.isFull()) await differences.save(pause);
    await pause();
  }
}

/** Receives the violations of a shard as a report would, and compares each with the stored one, which it removes. */
function createComparer(
  { places, index, differences }: ShardComparison,
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
    const shown = new Set(items.map(placeOfItem));
    const held = heldByItems.get(key) ?? heldViolationOf(index, place, (at) => shown.has(at));
    heldByItems.set(key, held);
    return held;
  };
  return (policy, { identityId, displayName, items, exception }) => {
    const held = heldOf(policy, items);
    if (held === null) return;
    const key = keyOf(held.policyId, identityId);
    differences.compare({ ...held, identityId, targetName: displayName ?? identityId, exception }, stored.get(key));
    stored.delete(key);
  };
}

const ITEMS_MAX = 10_000;

/** Compares the next instants of the identities of a shard with those stored. */
async function compareDue(
  { atMs, differences, pause }: PopulationComparison,
  { shard, due: stored }: ShardData,
  exceptions: readonly IdentityException[],
): Promise<void> {
  const excepted = Map.groupBy(exceptions, ({ identityId }) => identityId);
  for (const id of new Set([...shard.reevaluated.keys(), ...excepted.keys(), ...stored.keys()])) {
    const identity = shard.reevaluated.get(id);
    const assignments = identity === undefined ? [] : unpackAccess(identity.access);
    const next = nextInstantAfter(atMs, assignments, excepted.get(id) ?? []);
    const due = next === null ? null : new Date(next).toISOString();
    if (due !== (stored.get(id) ?? null)) differences.setDue(id, due);
    if (differences.isFull()) await differences.save(pause);
    await pause();
  }
}
