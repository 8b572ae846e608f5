import { createConflictFinder, type EmitViolation, REPORT_TIMED_VIOLATIONS_MAX } from '@access-admin/domain';
import { affectedHolders, gainOf } from './affected-holders.ts';
import { type ReportData, unendingFrom } from './data.ts';
import type { ViolationGatherer } from './gather-violations.ts';
import type { PreparedReport } from './prepare.ts';
import { type ReevaluatedLine, reevaluateIdentities } from './reevaluate.ts';
import { headAt, idAt, type Shard } from './shard.ts';

/**
 * Gathers the violations of the identities of a shard, in steps; blocks may be taken from the gatherer between them. Returns
 * the number of identities that the report covers; `tooLarge` when it would keep too many violations in memory.
 */
export function* evaluateShard(
  shard: Shard,
  report: { readonly prepared: PreparedReport; readonly data: ReportData },
  gatherer: ViolationGatherer,
): Generator<void, number | 'tooLarge'> {
  const { evaluator } = report.prepared;
  const { catalogue, population } = report.data;
  const { holdings, stale } = shard;
  const reevaluation = yield* reevaluateIdentities(shard, report);
  if (reevaluation.lineCount > REPORT_TIMED_VIOLATIONS_MAX) return 'tooLarge';
  const givers = yield* population.givers(catalogue);
  const holders = affectedHolders(holdings, report.prepared, population.refs);
  const gain = gainOf(report.prepared, holders);
  const intervals = [unendingFrom(report.data)];
  const finder = createConflictFinder({ holdings, givers }, gain, population.finderMemory);
  for (const policy of evaluator.policies) {
    const exceptions = report.data.exceptions.get(policy);
    const others = reevaluation.lines.get(policy) ?? NO_LINES;
    let next = 0;
    const addOthers = (placeMax: number) => {
      for (let line = others[next]; line !== undefined && line.place <= placeMax; line = others[++next])
        gatherer.add(policy, line);
    };
    const emit: EmitViolation = (change, holder, items) => {
      if ((evaluator.isNewOnly && change !== 'new') || stale.has(holder)) return;
      if (next < others.length) addOthers(holder);
      const exception = exceptions?.coveringException(change, idAt(shard, holder), () => intervals) ?? null;
      gatherer.add(policy, { change, items, exception, identity: headAt(shard, holder) });
    };
    do {
      evaluator.evaluate(policy, finder, emit);
      if (finder.isPauseDue() || gatherer.isFull()) yield;
    } while (finder.nextBatch());
    addOthers(Number.POSITIVE_INFINITY);
  }
  const staleCount = holders === null ? stale.size : holders.filter((holder) => stale.has(holder)).length;
  return reevaluation.identities + (holders?.length ?? holdings.holderCount) - staleCount;
}

const NO_LINES: readonly ReevaluatedLine[] = [];
