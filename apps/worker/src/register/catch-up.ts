import type { RegisterMaintenance } from '@access-admin/store';
import { isSameRulebook } from '../reports/open-current.ts';
import { type Comparison, compareIdentities } from './compare-identities.ts';
import { createDifferences, type DifferencesDeps } from './differences.ts';
import { latestOf, type RoundPlan, type TakenIn } from './plan-round.ts';

export interface CatchUpDeps extends Omit<DifferencesDeps, 'at' | 'isExpected' | 'register'> {
  readonly register: Pick<RegisterMaintenance, 'apply' | 'voidExceptions'>;
  readonly plan: RoundPlan;
  /** Gets the identities that are compared here. */
  readonly skipped: Set<string>;
  readonly comparison: Omit<Comparison, 'atMs' | 'differences'>;
  openCurrent(): Promise<Awaited<ReturnType<Comparison['openCurrent']>> & { readonly asOf: string }>;
}

/** Thrown where the round has to end, so that the next one takes in a change. */
export class GaveWay extends Error {
  override readonly name = 'GaveWay';
}

/** Compares identities that change while a round compares many, so that none waits for its end. */
export interface CatchUp {
  /** What the register has of the identities now. */
  takenIn(): TakenIn;
  /** How many violations were changed. */
  changedCount(): number;
  /** Compares the identities that have changed since the last call, or whose time has come; false for none. */
  run(): Promise<boolean>;
}

export function createCatchUp(deps: CatchUpDeps): CatchUp {
  const { claim, plan, comparison, register, skipped } = deps;
  let takenIn = plan.start;
  let changed = 0;

  const readChanged = async () => {
    const { source: opened, asOf: instant } = await deps.openCurrent();
    await using source = opened;
    const asOf = latestOf(takenIn.asOf, instant);
    const { version, identityRevision, identityCount } = source;
    const isSame = isSameRulebook(version, plan.version);
    // After a restore, or with a clock that was set back.
    const isEarlier = identityRevision < takenIn.identityRevision || asOf < takenIn.asOf;
    if (isEarlier || (!isSame && plan.givesWay)) throw new GaveWay();
    const ids = await source.changedIdentities(takenIn.identityRevision, asOf);
    await register.voidExceptions(claim.tenant, source, asOf);
    // Under another rulebook only these identities are up to date: the revision moves on, the instant does not.
    const next: TakenIn = { identityRevision, identityCount, asOf: isSame ? asOf : takenIn.asOf };
    return { ids, asOf, next };
  };

  return {
    takenIn: () => takenIn,
    changedCount: () => changed,
    run: async () => {
      const { ids, asOf, next } = await readChanged();
      if (ids.size === 0) return false;
      for (const id of ids) skipped.add(id);
      const differences = createDifferences({ ...deps, at: asOf, skipped: new Set(), isExpected: () => true });
      await compareIdentities({ ...comparison, atMs: Date.parse(asOf), differences }, [...ids]);
      await differences.save(comparison.pause);
      changed += differences.counts.all;
      takenIn = next;
      return true;
    },
  };
}
