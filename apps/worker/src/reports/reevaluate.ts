import {
  type CoveringException,
  createAssignmentIndexWriter,
  createConflictFinder,
  evaluateTemporal,
  heldIntervals,
  internRef,
  type PendingViolations,
  REPORT_TIMED_VIOLATIONS_MAX,
  type TimedAccessRef,
} from '@access-admin/domain';
import { type PackedViolation, packedIdentity, type ReportIdentity, unpackAccess } from '@access-admin/store';
import type { Pause } from '../claims/long-work.ts';
import { affectedHolders, gainOf } from './affected-holders.ts';
import { type ReportData, unendingFrom } from './data.ts';
import type { PreparedReport } from './prepare.ts';
import { holdersBefore, type Shard } from './shard.ts';

/** A violation of a reevaluated identity. */
export interface ReevaluatedLine extends PackedViolation {
  /** The number of holders in the shard's index whose ids sort before that of the identity. */
  readonly place: number;
  /** The JSON text of the identity, with which its report line begins. */
  readonly identity: string;
}

export interface Reevaluation {
  /** By number of the policy, in order of the identities' ids. */
  readonly lines: ReadonlyMap<number, readonly ReevaluatedLine[]>;
  /** The number of all lines; beyond the most that were asked for, some are missing. */
  readonly lineCount: number;
  /** The number of identities that the report covers. */
  readonly identities: number;
}

// Assignments evaluated together, each counted for every interval in which it holds.
const LENGTH_MAX = 2_000_000;

/** What reevaluated identities are part of. */
interface Reevaluated {
  readonly shard: Shard;
  readonly prepared: PreparedReport;
  readonly data: ReportData;
  readonly pause: Pause;
}

/** Evaluates identities of a shard that are not in its index, in order of their ids, interval by interval. */
export async function reevaluateIdentities(
  identities: readonly ReportIdentity[],
  report: Reevaluated,
  { lengthMax = LENGTH_MAX, linesMax = REPORT_TIMED_VIOLATIONS_MAX },
): Promise<Reevaluation> {
  const found: Found = { lines: new Map(), lineCount: 0, identities: 0, lastCounted: -1, pending: new Map() };
  const intervals = intervalsOf(identities, report.data);
  for (let isLast = identities.length === 0; !isLast && found.lineCount <= linesMax; ) {
    const batch = await writeBatch(intervals, report, lengthMax);
    await evaluateBatch(batch, { ...report, identities, found, linesMax });
    isLast = batch.isLast;
  }
  return found;
}

interface Found {
  readonly lines: Map<number, ReevaluatedLine[]>;
  lineCount: number;
  identities: number;
  /** The last identity that is counted in `identities`. */
  lastCounted: number;
  /** Violations of the last identity of a batch, whose intervals may continue in the next batch. */
  readonly pending: PendingViolations;
}

/** Intervals evaluated together: each is a holder of the writer, and `identityOf` has its identity. */
interface Batch {
  readonly writer: ReturnType<typeof createAssignmentIndexWriter>;
  readonly identityOf: readonly number[];
  readonly isLast: boolean;
}

/** The access of an identity in one interval. */
interface HeldInterval {
  readonly identity: number;
  readonly access: readonly TimedAccessRef[];
}

function* intervalsOf(
  identities: readonly ReportIdentity[],
  { nowMs, at }: Pick<ReportData, 'nowMs' | 'at'>,
): Generator<HeldInterval, void> {
  for (const [identity, { access: packed }] of identities.entries())
    for (const access of heldIntervals(unpackAccess(packed), { nowMs, at })) yield { identity, access };
}

async function writeBatch(
  intervals: Generator<HeldInterval, void>,
  { data, pause }: Pick<Reevaluated, 'data' | 'pause'>,
  lengthMax: number,
): Promise<Batch> {
  const { refs } = data.population;
  const writer = createAssignmentIndexWriter();
  const identityOf: number[] = [];
  while (writer.length + identityOf.length < lengthMax) {
    const { done, value } = intervals.next();
    if (done === true) return { writer, identityOf, isLast: true };
    for (const { type, id } of value.access) writer.add(internRef(refs, type, { text: id, start: 0, end: id.length }));
    writer.endHolder();
    identityOf.push(value.identity);
    await pause();
  }
  return { writer, identityOf, isLast: false };
}

const NO_IDENTITY: ReportIdentity = { id: '', displayName: null, access: '[]' };

interface BatchReport extends Reevaluated {
  readonly identities: readonly ReportIdentity[];
  readonly found: Found;
  readonly linesMax: number;
}

async function evaluateBatch(
  { writer, identityOf, isLast }: Batch,
  { shard, prepared, data, identities, found, linesMax, pause }: BatchReport,
): Promise<void> {
  const { evaluator } = prepared;
  const { catalogue, population } = data;
  const holdings = writer.finish(population.refs.count);
  const givers = population.givers(catalogue);
  const holders = affectedHolders(holdings, prepared, population.refs);
  for (const holder of holders ?? identityOf.keys()) {
    const identity = identityOf[holder] ?? 0;
    if (identity > found.lastCounted) found.identities += 1;
    found.lastCounted = identity;
  }
  const finder = createConflictFinder({ holdings, givers }, gainOf(prepared, holders), population.finderMemory);
  const heads = new Map<number, Pick<ReevaluatedLine, 'place' | 'identity'>>();
  const headOf = (number: number) => {
    const { id, displayName } = identities[number] ?? NO_IDENTITY;
    const head = heads.get(number) ?? { place: holdersBefore(shard, id), identity: packedIdentity(id, displayName) };
    heads.set(number, head);
    return head;
  };
  for (const policy of evaluator.policies) {
    const lines = found.lines.get(policy) ?? [];
    evaluateTemporal(evaluator, policy, {
      finder,
      identityOf,
      pending: found.pending,
      unfinished: isLast ? null : (identityOf.at(-1) ?? null),
      emit: (change, number, items) => {
        if (evaluator.isNewOnly && change !== 'new') return;
        const exception = coveringException({ prepared, data }, { policy, change, identity: identities[number] });
        lines.push({ ...headOf(number), change, items, exception });
        found.lineCount += 1;
      },
    });
    if (lines.length > 0) found.lines.set(policy, lines);
    if (found.lineCount > linesMax) return;
    await pause();
  }
}

/** The exception that covers a violation of one identity. */
function coveringException(
  { prepared: { evaluator }, data }: Pick<BatchReport, 'prepared' | 'data'>,
  { policy, change, identity = NO_IDENTITY }: FoundViolation,
): CoveringException | null {
  const { id, access } = identity;
  const intervals = () =>
    data.at === null ? evaluator.violatedBefore(policy, unpackAccess(access), data.nowMs) : [unendingFrom(data)];
  return data.exceptions.get(policy)?.coveringException(change, id, intervals) ?? null;
}

interface FoundViolation extends Pick<PackedViolation, 'change'> {
  readonly policy: number;
  readonly identity: ReportIdentity | undefined;
}
