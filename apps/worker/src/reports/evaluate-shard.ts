import { createConflictFinder, type EmitViolation, REPORT_TIMED_VIOLATIONS_MAX } from '@access-admin/domain';
import type { Pause } from '../leased/pause.ts';
import { affectedHolders, gainOf } from './affected-holders.ts';
import { type ReportData, unendingFrom } from './data.ts';
import type { ViolationGatherer } from './gather-violations.ts';
import type { PreparedReport } from './prepare.ts';
import { type ReevaluatedLine, type Reevaluation, reevaluateIdentities } from './reevaluate.ts';
import { headAt, holdersBefore, idAt, type Shard } from './shard.ts';

/** A shard being evaluated. */
interface Evaluation {
  readonly shard: Shard;
  readonly prepared: PreparedReport;
  readonly data: ReportData;
  readonly gatherer: Pick<ViolationGatherer, 'add'>;
  /** Is awaited after each policy; blocks may be taken from the gatherer in it. */
  readonly pause: Pause;
}

/**
 * Gathers the violations of the identities of a shard. Returns the number of identities that the report covers; `tooLarge` when
 * one identity would keep too many violations in memory.
 */
export async function evaluateShard({
  linesMax = REPORT_TIMED_VIOLATIONS_MAX,
  ...evaluation
}: Evaluation & { readonly linesMax?: number }): Promise<number | 'tooLarge'> {
  const { shard, prepared, data } = evaluation;
  const { holdings, stale } = shard;
  const holders = affectedHolders(holdings, prepared, data.population.refs);
  const staleCount = holders === null ? stale.size : holders.filter((holder) => stale.has(holder)).length;
  let identities = (holders?.length ?? holdings.holderCount) - staleCount;
  // Ranges of identities to reevaluate, the first at the end. One with too many violations is split.
  const ranges = [[...shard.reevaluated.values()].sort((left, right) => (left.id < right.id ? -1 : 1))];
  let firstHolder = 0;
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const reevaluation = await reevaluateIdentities(range, evaluation, { linesMax });
    if (reevaluation.lineCount > linesMax) {
      if (range.length === 1) return 'tooLarge';
      const middle = range.length >>> 1;
      ranges.push(range.slice(middle), range.slice(0, middle));
      continue;
    }
    const [next] = ranges.at(-1) ?? [];
    const endHolder = next === undefined ? holdings.holderCount : holdersBefore(shard, next.id);
    await gatherRange(evaluation, reevaluation, { firstHolder, endHolder });
    identities += reevaluation.identities;
    firstHolder = endHolder;
  }
  return identities;
}

/** Gathers the violations of a range of holders and of the identities between them, by policy in order of their ids. */
async function gatherRange(
  { shard, prepared, data, gatherer, pause }: Evaluation,
  reevaluation: Reevaluation,
  { firstHolder, endHolder }: { readonly firstHolder: number; readonly endHolder: number },
): Promise<void> {
  const { evaluator } = prepared;
  const { population } = data;
  const { holdings, stale } = shard;
  const grantingRefs = population.grantingRefs(data.catalogue);
  const gain = gainOf(prepared, affectedHolders(holdings, prepared, population.refs));
  const intervals = [unendingFrom(data)];
  const finder = createConflictFinder({ holdings, grantingRefs }, gain, population.finderMemory);
  for (const policy of evaluator.policies) {
    const exceptions = data.exceptions.get(policy);
    const others = reevaluation.lines.get(policy) ?? NO_LINES;
    let next = 0;
    const addOthers = (placeMax: number) => {
      for (let line = others[next]; line !== undefined && line.place <= placeMax; line = others[++next])
        gatherer.add(policy, line);
    };
    const emit: EmitViolation = (change, holder, items) => {
      if (holder < firstHolder || holder >= endHolder || stale.has(holder)) return;
      if (evaluator.isNewOnly && change !== 'new') return;
      if (next < others.length) addOthers(holder);
      const exception = exceptions?.coveringException(change, idAt(shard, holder), () => intervals) ?? null;
      gatherer.add(policy, { change, items, exception, identity: headAt(shard, holder) });
    };
    do {
      evaluator.evaluate(policy, finder, emit);
      await pause();
    } while (finder.nextBatch());
    addOthers(Number.POSITIVE_INFINITY);
  }
}

const NO_LINES: readonly ReevaluatedLine[] = [];
