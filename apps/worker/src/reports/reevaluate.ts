import {
  createAssignmentIndexWriter,
  createConflictFinder,
  evaluateTemporal,
  heldIntervals,
  internRef,
  type PendingViolations,
  type SodCatalogue,
  type SodReportChange,
  type TimedAccessRef,
} from '@access-admin/domain';
import { packedIdentity, type ReportIdentity, unpackAccess } from '@access-admin/store';
import { concernedHolders, gainOf } from './affected-holders.ts';
import type { Population } from './population.ts';
import type { PreparedReport } from './prepare.ts';
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
const LOOSE_LENGTH_MAX = 2_000_000;
// Assignments written in some milliseconds.
const STEP_WORK = 10_000;

/** Judges the loose identities of a shard, in steps. */
export function* evaluateLoose(
  shard: Shard,
  judgement: Judgement,
  lengthMax = LOOSE_LENGTH_MAX,
): Generator<void, LooseFindings> {
  const identities = [...shard.loose.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const found: Found = { lines: new Map(), identities: 0, lastConcerned: -1, open: new Map() };
  const stretches = intervalsOf(identities, judgement.nowMs);
  for (let isLast = identities.length === 0; !isLast; ) {
    const batch = yield* writeBatch(stretches, { judgement, lengthMax });
    yield* evaluateBatch(shard, batch, { judgement, identities, found });
    isLast = batch.isLast;
  }
  return found;
}

interface Found {
  readonly lines: Map<number, LooseLine[]>;
  identities: number;
  /** The last identity that is counted. */
  lastConcerned: number;
  /** Of the last identity of a batch, which may go on in the next one. */
  readonly open: PendingViolations;
}

/** Each holder of the writer is a stretch of `identityOf` it. */
interface Batch {
  readonly writer: ReturnType<typeof createAssignmentIndexWriter>;
  readonly identityOf: readonly number[];
  readonly isLast: boolean;
}

/** What an identity holds in a stretch, and how much work it was to find that. */
interface Stretch {
  readonly identity: number;
  readonly holding: readonly TimedAccessRef[];
  readonly work: number;
}

function* intervalsOf(identities: readonly ReportIdentity[], nowMs: number): Generator<Stretch, void> {
  for (const [identity, { access }] of identities.entries()) {
    const refs = unpackAccess(access);
    let work = refs.length * UNPACK_WORK;
    for (const holding of heldIntervals(refs, nowMs)) {
      yield { identity, holding, work: work + holding.length };
      // To see which of them hold.
      work = refs.length / 8;
    }
  }
}

const UNPACK_WORK = 5;

/** Takes as many stretches as are judged together. */
function* writeBatch(
  stretches: Generator<Stretch, void>,
  { judgement, lengthMax }: { readonly judgement: Judgement; readonly lengthMax: number },
): Generator<void, Batch> {
  const { refs } = judgement.population;
  const writer = createAssignmentIndexWriter();
  const identityOf: number[] = [];
  let work = 0;
  while (writer.length + identityOf.length < lengthMax) {
    const { done, value } = stretches.next();
    if (done === true) return { writer, identityOf, isLast: true };
    for (const { type, id } of value.holding) writer.add(internRef(refs, type, { text: id, start: 0, end: id.length }));
    writer.endHolder();
    identityOf.push(value.identity);
    work += value.work;
    if (work < STEP_WORK) continue;
    work = 0;
    yield;
  }
  return { writer, identityOf, isLast: false };
}

const NOBODY: ReportIdentity = { id: '', displayName: null, access: '[]' };

function* evaluateBatch(
  shard: Shard,
  { writer, identityOf, isLast }: Batch,
  { judgement, identities, found }: { judgement: Judgement; identities: readonly ReportIdentity[]; found: Found },
): Generator<void, void> {
  const { prepared, catalogue, population } = judgement;
  const { judge, concerned } = prepared;
  const holdings = yield* writer.finish(population.refs.count);
  const givers = yield* population.givers(catalogue);
  const holders = concernedHolders(holdings, { concerned, refs: population.refs });
  for (const holder of holders ?? identityOf.keys()) {
    const identity = identityOf[holder] ?? 0;
    if (identity > found.lastConcerned) found.identities += 1;
    found.lastConcerned = identity;
  }
  const finder = createConflictFinder({ holdings, givers }, gainOf(prepared, holders), population.finderMemory);
  const heads = new Map<number, Pick<LooseLine, 'place' | 'identity'>>();
  const headOf = (number: number) => {
    const { id, displayName } = identities[number] ?? NOBODY;
    const head = heads.get(number) ?? { place: holdersBefore(shard, id), identity: packedIdentity(id, displayName) };
    heads.set(number, head);
    return head;
  };
  for (const policy of judge.policies) {
    const lines: LooseLine[] = [];
    evaluateTemporal(judge, policy, {
      finder,
      identityOf,
      open: found.open,
      unfinished: isLast ? null : (identityOf.at(-1) ?? null),
      take: (change, number, items) => {
        if (!judge.isNewOnly || change === 'new') lines.push({ ...headOf(number), change, items });
      },
    });
    if (lines.length > 0) found.lines.set(policy, [...(found.lines.get(policy) ?? []), ...lines]);
    if (finder.isPauseDue()) yield;
  }
}
