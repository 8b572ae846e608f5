import {
  type AccessRefTable,
  type ConflictFinder,
  createConflictFinder,
  createTimedConflictFinder,
  type EmitViolation,
  findRef,
  type HeldMoments,
  holderBatches,
  holdersOf,
  type Interval,
  type ReportLine,
  type SodCatalogue,
} from '@access-admin/domain';
import { type ReportIdentity, timedHoldingsOf, unpackAccess } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import type { ReportExceptions } from './exceptions.ts';
import type { Population } from './population.ts';
import type { PreparedReport } from './prepare.ts';
import { identityAt, type Shard } from './shard.ts';

/** The data that a report evaluates. */
export interface ReportData {
  readonly catalogue: SodCatalogue;
  readonly population: Pick<Population, 'refs' | 'finderMemory' | 'grantingRefs'>;
  /** The time of the data, in milliseconds since 1970. */
  readonly nowMs: number;
  /** The only instant that counts, ISO 8601 in UTC; null for every instant from `nowMs` on. */
  readonly at: string | null;
  readonly exceptions: ReportExceptions;
}

/** A shard being evaluated. */
export interface Evaluation {
  readonly shard: Shard;
  readonly prepared: Pick<PreparedReport, 'evaluator' | 'affectedRefs'>;
  readonly data: ReportData;
  /** Receives each violation, policy by policy, first of the identities in the index. */
  emit(policy: number, line: ReportLine): void;
  /** Is awaited after each identity that is read and each policy. */
  readonly pause: Pause;
}

/** Emits the violations of the identities of a shard. Returns how many of them the report covers. */
export async function evaluateShard(evaluation: Evaluation): Promise<number> {
  const indexed = await evaluateIndexed(evaluation);
  return indexed + (await evaluateOthers(evaluation));
}

async function evaluateIndexed(evaluation: Evaluation): Promise<number> {
  const { shard, prepared, data } = evaluation;
  const { holdings, stale } = shard;
  const { grantingRefs, finderMemory } = data.population;
  const { gained } = prepared.evaluator;
  const refs = affectedRefs(prepared, data.population.refs);
  const holders = refs === null ? null : holdersOf(holdings, refs);
  const gain = gained === null || holders === null ? null : { entitlements: gained, holders };
  const access = { holdings, grantingRefs: grantingRefs(data.catalogue) };
  const intervals = [unendingFrom(data)];
  await findViolations(evaluation, createConflictFinder(access, gain, finderMemory), {
    identityOf: (holder) => (stale.has(holder) ? null : identityAt(shard, holder)),
    // Access without windows is there at all times.
    momentsOf: (_, __, items) => ({ intervals, items, itemsFrom: () => items }),
  });
  return holders === null
    ? holdings.holderCount - stale.size
    : holders.reduce((count, holder) => (stale.has(holder) ? count : count + 1), 0);
}

/** The identities that are not in the index. */
async function evaluateOthers(evaluation: Evaluation): Promise<number> {
  const { shard, prepared, data, pause } = evaluation;
  const { evaluator } = prepared;
  const { grantingRefs, finderMemory, refs: table } = data.population;
  const identities = [...shard.reevaluated.values()];
  if (identities.length === 0) return 0;
  const held = identities.map(({ access }) => access);
  const counted = { fromMs: unendingFrom(data).startMs, isInstant: data.at !== null, pause };
  const timed = await timedHoldingsOf(held, data.population.refs, counted);
  const refs = affectedRefs(prepared, table);
  const gain = evaluator.gained === null ? null : { entitlements: evaluator.gained, refs: refs ?? [] };
  const access = { timed, grantingRefs: grantingRefs(data.catalogue), gain };
  await findViolations(evaluation, createTimedConflictFinder(access, finderMemory), {
    identityOf: (holder) => identities[holder] ?? null,
    momentsOf: (policy, holder, items) => {
      const assignments = unpackAccess(identities[holder]?.access ?? '[]');
      const sweep = (fromMs: number) => evaluator.sweepBefore(policy, assignments, fromMs);
      const intervals = data.at === null ? sweep(data.nowMs).intervals : [unendingFrom(data)];
      return { intervals, items, itemsFrom: (fromMs) => sweep(fromMs).items };
    },
  });
  return refs === null ? identities.length : holdersOf(timed.holdings, refs).length;
}

interface Holders {
  /** Null for a holder that is left out. */
  identityOf(holder: number): Pick<ReportIdentity, 'id' | 'displayName'> | null;
  /** When a holder violates a policy as it is before the change; `items` are those of the violation. */
  momentsOf(policy: number, holder: number, items: readonly string[]): Omit<HeldMoments, 'terms'>;
}

async function findViolations(
  { prepared: { evaluator }, data, emit, pause }: Evaluation,
  finder: ConflictFinder,
  { identityOf, momentsOf }: Holders,
): Promise<void> {
  for (const policy of evaluator.policies) {
    const exceptions = data.exceptions.get(policy);
    const emitViolation: EmitViolation = (change, holder, items) => {
      if (evaluator.isNewOnly && change !== 'new') return;
      const identity = identityOf(holder);
      if (identity === null) return;
      const { id, displayName } = identity;
      const exception =
        exceptions?.coveringException({ change, identityId: id, items }, (ids) => momentsOf(policy, holder, ids)) ??
        null;
      emit(policy, { identityId: id, displayName, change, items, exception });
    };
    for (const batch of holderBatches(finder)) {
      evaluator.evaluate(policy, batch, emitViolation);
      await pause();
    }
  }
}

/** The numbers of the refs whose holders a report covers; null for all holders. */
const affectedRefs = (
  { affectedRefs: refs }: Pick<PreparedReport, 'affectedRefs'>,
  table: AccessRefTable,
): readonly number[] | null =>
  refs === null ? null : refs.map((ref) => findRef(table, ref)).filter((number) => number >= 0);

/** The interval in which access without windows holds: it has no end. */
const unendingFrom = ({ nowMs, at }: Pick<ReportData, 'nowMs' | 'at'>): Interval => ({
  startMs: at === null ? nowMs : Date.parse(at),
  endMs: Number.POSITIVE_INFINITY,
});
