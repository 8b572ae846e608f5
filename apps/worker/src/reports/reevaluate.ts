import {
  type CoveringException,
  createTimedConflictFinder,
  createTimedHoldingsWriter,
  type EmitViolation,
  holdersOf,
  internRef,
  intervalOf,
  REPORT_TIMED_VIOLATIONS_MAX,
  type TimedAccessRef,
  type TimedAssignment,
  type TimedHoldings,
} from '@access-admin/domain';
import { type PackedViolation, packedIdentity, type ReportIdentity, unpackAccess } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import { affectedRefs } from './affected-holders.ts';
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

// Assignments evaluated together.
const LENGTH_MAX = 2_000_000;

/** What reevaluated identities are part of. */
interface Reevaluated {
  readonly shard: Shard;
  readonly prepared: PreparedReport;
  readonly data: ReportData;
  readonly pause: Pause;
}

/** Evaluates identities of a shard that are not in its index, in order of their ids. */
export async function reevaluateIdentities(
  identities: readonly ReportIdentity[],
  report: Reevaluated,
  { lengthMax = LENGTH_MAX, linesMax = REPORT_TIMED_VIOLATIONS_MAX },
): Promise<Reevaluation> {
  const found: Found = { lines: new Map(), lineCount: 0, identities: 0 };
  for (let first = 0; first < identities.length && found.lineCount <= linesMax; ) {
    const timed = await readBatch(identities.slice(first), report, lengthMax);
    const batch = identities.slice(first, first + timed.holdings.holderCount);
    await evaluateBatch(timed, { ...report, identities: batch, found, linesMax });
    first += batch.length;
  }
  return found;
}

interface Found {
  readonly lines: Map<number, ReevaluatedLine[]>;
  lineCount: number;
  identities: number;
}

/** Reads the access of the first of some identities: of one at least. */
async function readBatch(
  identities: readonly ReportIdentity[],
  { data, pause }: Pick<Reevaluated, 'data' | 'pause'>,
  lengthMax: number,
): Promise<TimedHoldings> {
  const { refs } = data.population;
  const writer = createTimedHoldingsWriter();
  for (const { access } of identities) {
    writer.add(assignmentsOf(unpackAccess(access), data));
    if (writer.length + writer.holderCount >= lengthMax) break;
    await pause();
  }
  return writer.finish(refs.count);
}

/** What holds at the only instant that counts, or at any time from now on. */
function assignmentsOf(access: readonly TimedAccessRef[], data: ReportData): TimedAssignment[] {
  const { startMs: nowMs } = unendingFrom(data);
  return access.flatMap((assignment): TimedAssignment[] => {
    const interval = intervalOf(assignment);
    const startMs = Math.max(interval.startMs, nowMs);
    if (startMs >= interval.endMs || (data.at !== null && startMs > nowMs)) return [];
    const { type, id } = assignment;
    const ref = internRef(data.population.refs, type, { text: id, start: 0, end: id.length });
    return [{ ref, startMs, endMs: interval.endMs }];
  });
}

const NO_IDENTITY: ReportIdentity = { id: '', displayName: null, access: '[]' };

interface BatchReport extends Reevaluated {
  readonly identities: readonly ReportIdentity[];
  readonly found: Found;
  readonly linesMax: number;
}

async function evaluateBatch(
  timed: TimedHoldings,
  { shard, prepared, data, identities, found, linesMax, pause }: BatchReport,
): Promise<void> {
  const { evaluator } = prepared;
  const { catalogue, population } = data;
  const refs = affectedRefs(prepared, population.refs);
  found.identities += refs === null ? identities.length : holdersOf(timed.holdings, refs).length;
  const gain = evaluator.gained === null ? null : { entitlements: evaluator.gained, refs: refs ?? [] };
  const grantingRefs = population.grantingRefs(catalogue);
  const finder = createTimedConflictFinder({ timed, grantingRefs, gain }, population.finderMemory);
  const heads = new Map<number, Pick<ReevaluatedLine, 'place' | 'identity'>>();
  const headOf = (number: number) => {
    const { id, displayName } = identities[number] ?? NO_IDENTITY;
    const head = heads.get(number) ?? { place: holdersBefore(shard, id), identity: packedIdentity(id, displayName) };
    heads.set(number, head);
    return head;
  };
  for (const policy of evaluator.policies) {
    const lines = found.lines.get(policy) ?? [];
    const emit: EmitViolation = (change, number, items) => {
      if (evaluator.isNewOnly && change !== 'new') return;
      const exception = coveringException({ prepared, data }, { policy, change, identity: identities[number] });
      lines.push({ ...headOf(number), change, items, exception });
      found.lineCount += 1;
    };
    do evaluator.evaluate(policy, finder, emit);
    while (finder.nextBatch());
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
