import { expandAccess, refAt, type SodIndex, timedAssignmentsOf } from '@access-admin/domain';
import { unpackAccess } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import type { Population } from './population.ts';
import type { Shard } from './shard.ts';

// Steps of some nanoseconds each.
const HOLDERS_AT_ONCE = 50_000;

export interface HolderCount {
  readonly index: SodIndex;
  readonly population: Pick<Population, 'refs' | 'grantingRefs'>;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly pause: Pause;
}

/** Adds to `counts`, by entitlement, how many identities of a shard have it at a moment, by whatever they hold. */
export async function countHolders(
  { holdings, stale, reevaluated }: Shard,
  counts: Uint32Array,
  { index, population, atMs, pause }: HolderCount,
): Promise<void> {
  const { starts, values } = holdings.holders;
  const granting = population.grantingRefs(index.catalogue);
  // The last entitlement that a holder was counted for, plus one.
  const counted = new Uint32Array(holdings.holderCount);
  let steps = 0;
  for (let entitlement = 0; entitlement < counts.length; entitlement++) {
    const last = granting.starts[entitlement + 1] ?? 0;
    let found = 0;
    for (let by = granting.starts[entitlement] ?? 0; by < last; by++) {
      const ref = granting.values[by] ?? 0;
      const end = starts[ref + 1] ?? 0;
      for (let at = starts[ref] ?? 0; at < end; at++) {
        const holder = values[at] ?? 0;
        if (counted[holder] === entitlement + 1) continue;
        counted[holder] = entitlement + 1;
        if (!stale.has(holder)) found += 1;
      }
      steps += end - (starts[ref] ?? 0);
    }
    counts[entitlement] = (counts[entitlement] ?? 0) + found;
    if (steps < HOLDERS_AT_ONCE) continue;
    steps = 0;
    await pause();
  }
  for (const { access } of reevaluated.values()) {
    const held = timedAssignmentsOf(unpackAccess(access), population.refs, { fromMs: atMs, isInstant: true });
    const refs = held.map(({ ref }) => refAt(population.refs, ref));
    for (const entitlement of expandAccess(index, refs).entitlements)
      counts[entitlement] = (counts[entitlement] ?? 0) + 1;
    await pause();
  }
}
