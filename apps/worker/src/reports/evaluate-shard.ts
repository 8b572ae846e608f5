import { createConflictFinder, type TakeViolation } from '@access-admin/domain';
import { concernedHolders, gainOf } from './affected-holders.ts';
import type { ViolationGatherer } from './gather-violations.ts';
import { evaluateLoose, type Judgement, type LooseLine } from './reevaluate.ts';
import { headAt, type Shard } from './shard.ts';

/**
 * Gathers what a report says of the identities of a shard, in steps; between them what was gathered may be taken. Returns how
 * many of them it is about.
 */
export function* evaluateShard(
  shard: Shard,
  judgement: Judgement,
  gatherer: ViolationGatherer,
): Generator<void, number> {
  const { prepared, catalogue, population } = judgement;
  const { judge, concerned } = prepared;
  const { holdings, stale } = shard;
  const loose = yield* evaluateLoose(shard, judgement);
  const givers = yield* population.givers(catalogue);
  const holders = concernedHolders(holdings, { concerned, refs: population.refs });
  const finder = createConflictFinder({ holdings, givers }, gainOf(prepared, holders), population.finderMemory);
  for (const policy of judge.policies) {
    const others = loose.lines.get(policy) ?? NO_LINES;
    let next = 0;
    const addOthers = (placeMax: number) => {
      for (let line = others[next]; line !== undefined && line.place <= placeMax; line = others[++next])
        gatherer.add(policy, line.change, line);
    };
    const take: TakeViolation = (change, holder, items) => {
      if ((judge.isNewOnly && change !== 'new') || stale.has(holder)) return;
      if (next < others.length) addOthers(holder);
      gatherer.add(policy, change, { identity: headAt(shard, holder), items });
    };
    do {
      judge.judge(policy, finder, take);
      if (finder.isPauseDue() || gatherer.isFull()) yield;
    } while (finder.goOn());
    addOthers(Number.POSITIVE_INFINITY);
  }
  const staleCount = holders === null ? stale.size : holders.filter((holder) => stale.has(holder)).length;
  return loose.identities + (holders?.length ?? holdings.holderCount) - staleCount;
}

const NO_LINES: readonly LooseLine[] = [];
