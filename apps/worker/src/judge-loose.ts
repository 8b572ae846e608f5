import {
  createConflictFinder,
  createHoldingsWriter,
  heldStretches,
  judgeOverTime,
  numberRef,
  type SodCatalogue,
  type SodReportChange,
  type TimedAccessRef,
} from '@access-admin/domain';
import { packedIdentity, type ReportIdentity, unpackAccess } from '@access-admin/store';
import { concernedHolders, gainOf } from './concerned-holders.ts';
import type { Population } from './population.ts';
import type { PreparedReport } from './prepare-report.ts';
import { holdersBefore, type Shard } from './shard.ts';

export interface Judgement {
  readonly prepared: PreparedReport;
  readonly catalogue: SodCatalogue;
  readonly population: Population;
  /** The moment of the data, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** A violation of a loose identity. */
export interface LooseLine {
  /** How many of the shard's holders have ids before that of the identity. */
  readonly place: number;
  readonly change: SodReportChange;
  /** The beginning of its line. */
  readonly identity: string;
  readonly items: readonly number[];
}

export interface LooseFindings {
  /** By number of the policy, in order of the identities' ids. */
  readonly lines: ReadonlyMap<number, readonly LooseLine[]>;
  /** How many of them the report is about. */
  readonly identities: number;
}

// Assignments that are judged together, each counted for each stretch of time in which it holds.
const LENGTH_MAX = 2_000_000;
// Assignments written in some milliseconds.
const STEP_LENGTH = 10_000;

/** Judges the loose identities of a shard, in steps. */
export function* judgeLoose(shard: Shard, judgement: Judgement): Generator<void, LooseFindings> {
  const identities = [...shard.loose.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const found: Found = { lines: new Map(), identities: 0 };
  for (let start = 0; start < identities.length; ) {
    const batch = yield* writeBatch(identities, start, judgement);
    yield* judgeBatch(shard, batch, { judgement, identities, found });
    start = batch.end;
  }
  return found;
}

interface Found {
  readonly lines: Map<number, LooseLine[]>;
  identities: number;
}

/** Identities up to, and without, `end`; each holder of the writer is a stretch of `identityOf` it. */
interface Batch {
  readonly writer: ReturnType<typeof createHoldingsWriter>;
  readonly identityOf: readonly number[];
  readonly end: number;
}

function* writeBatch(
  identities: readonly ReportIdentity[],
  start: number,
  { population: { refs }, nowMs }: Judgement,
): Generator<void, Batch> {
  const writer = createHoldingsWriter();
  const identityOf: number[] = [];
  let end = start;
  for (let pauseAt = STEP_LENGTH; end < identities.length && writer.length < LENGTH_MAX; end++) {
    const access: readonly TimedAccessRef[] = unpackAccess(identities[end]?.access ?? '[]');
    for (const holding of heldStretches(access, nowMs)) {
      for (const { type, id } of holding) writer.add(numberRef(refs, type, { text: id, start: 0, end: id.length }));
      writer.endHolder();
      identityOf.push(end);
    }
    if (writer.length < pauseAt) continue;
    pauseAt = writer.length + STEP_LENGTH;
    yield;
  }
  return { writer, identityOf, end };
}

function* judgeBatch(
  shard: Shard,
  { writer, identityOf }: Batch,
  { judgement, identities, found }: { judgement: Judgement; identities: readonly ReportIdentity[]; found: Found },
): Generator<void, void> {
  const { prepared, catalogue, population } = judgement;
  const { judge, concerned } = prepared;
  const holdings = yield* writer.finish(population.refs.count);
  const givers = yield* population.givers(catalogue);
  const holders = concernedHolders(holdings, { concerned, refs: population.refs });
  found.identities += new Set(holders === null ? identityOf : Array.from(holders, (holder) => identityOf[holder])).size;
  const finder = createConflictFinder({ holdings, givers }, gainOf(prepared, holders), population.finderMemory);
  const headOf = ({ id, displayName }: ReportIdentity) => ({
    place: holdersBefore(shard, id),
    identity: packedIdentity(id, displayName),
  });
  for (const policy of judge.policies) {
    const lines: LooseLine[] = [];
    judgeOverTime(judge, policy, {
      finder,
      identityOf,
      take: (change, number, items) => {
        const identity = identities[number];
        if (identity !== undefined && !(judge.isNewOnly && change !== 'new'))
          lines.push({ ...headOf(identity), change, items });
      },
    });
    if (lines.length > 0) found.lines.set(policy, [...(found.lines.get(policy) ?? []), ...lines]);
    if (finder.isPauseDue()) yield;
  }
}
