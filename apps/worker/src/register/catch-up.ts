import type {
  DataVersion,
  RegisterBatch,
  RegisterClaim,
  RegisterMaintenance,
  RegisterSource,
} from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import { isSameRulebook, type Opening, openAtInstant } from '../reports/open-current.ts';
import { type Comparison, compareIdentities } from './compare-identities.ts';
import { createDifferences, type Differences, type DifferencesDeps, SOON_MS } from './differences.ts';

/** What the register has of the identities, or has when the round is concluded. */
export interface TakenIn {
  readonly identityRevision: number;
  readonly identityCount: number;
  /** The instant that the register is evaluated for. */
  readonly asOf: string;
}

export interface CatchUpDeps extends Omit<DifferencesDeps, 'canStage' | 'register'> {
  readonly register: Pick<RegisterMaintenance, 'stage' | 'voidExceptions'>;
  readonly claim: RegisterClaim;
  readonly comparison: Comparison;
  readonly differences: Differences;
  /** The rulebook of the round. */
  readonly version: DataVersion['version'];
  /** What the source of the round has. */
  readonly start: TakenIn;
  /** Whether the next instants of all identities are known before they are compared. */
  readonly areInstantsKnown: boolean;
  /** Whether the source may be renewed, and the round given up where it cannot catch up with that. */
  readonly mayRenew: boolean;
  /**
   * Whether changes are concluded at once, as where a round only verifies the register. Others wait for the end of the round:
   * readers must not see them before what was changed earlier.
   */
  readonly isAtOnce: boolean;
  readonly opening: Opening<RegisterSource>;
  /** Identities are compared with later data than those of the round, which must not compare them any more. */
  onOvertaken(ids: readonly string[]): void;
  readonly pause: Pause;
  /** Shows changes to readers. */
  conclude(batch: RegisterBatch, takenIn: TakenIn): Promise<void>;
}

/** Takes in changes of identities while a round compares many. */
export interface CatchUp {
  takenIn(): TakenIn;
  /** How many violations were changed at once. */
  changed(): number;
  /**
   * Runs a comparison of the identities that are known to have changed, in whose pauses the source is renewed where the round
   * has staged something.
   */
  duringChanged(compare: (pause: Pause) => Promise<void>): Promise<'compared' | 'behind'>;
  /**
   * Runs a comparison of all identities, in whose pauses changed ones are taken in. `behind` after a change of the rulebook, or
   * of many identities, that cannot be taken in: where others wait for it because the round only verifies, and where the source
   * was renewed.
   */
  duringAll(compare: (pause: Pause) => Promise<void>): Promise<'compared' | 'behind'>;
}

/** Thrown by pauses of a comparison that is to end. */
class Behind extends Error {
  override readonly name = 'Behind';
}

const EVERY_MS = 100;

/**
 * Changed identities are evaluated with the rulebook of the round and their present data. An identity whose access depends on
 * time is among them when its instant comes, so that all others are at the end what they were at the start. A change of the
 * rulebook ends this: no later instant would be that of the rulebook of the round.
 *
 * Once the round has staged something, the source itself is renewed. Where the next instants were not known, what came due before
 * an identity was compared is found at the end.
 */
export function createCatchUp(deps: CatchUpDeps): CatchUp {
  const { claim, comparison, differences } = deps;
  // Readers must not see what the round has staged, which would be concluded with them.
  const isAtOnce = () => deps.isAtOnce && !differences.isStaged();
  const renewing = () => (deps.mayRenew && differences.isStaged() ? comparison.source.renew : null);
  // Beyond it, next instants that the round has found may have come.
  const latest = new Date(Date.parse(deps.start.asOf) + SOON_MS).toISOString();
  let taken = deps.start;
  let isPossible = true;
  let lookedMs = deps.now();
  let changed = 0;

  const readChanges = async (source: RegisterSource, instant: string) => {
    const at = await source.instantAt(instant > taken.asOf ? instant : taken.asOf);
    const since = { ...claim, ...source.version, identityRevision: taken.identityRevision, asOf: taken.asOf };
    const { identities, deleted } = await source.changesSince(since, at);
    isPossible =
      identities !== null && deleted !== null && isSameRulebook(source.version, deps.version) && at <= latest;
    const ids = [...(identities ?? []), ...(deleted ?? []), ...differences.dueUntil(at)];
    return { at, ids: isPossible ? [...new Set(ids)] : [] };
  };
  const hasChanges = async (): Promise<boolean> => {
    await using source = await deps.opening.open();
    return (await readChanges(source, new Date(deps.now()).toISOString())).ids.length > 0;
  };

  const takeInAtOnce = async (
    later: Omit<Comparison, 'differences'>,
    { ids, takenIn }: { readonly ids: readonly string[]; readonly takenIn: TakenIn },
  ): Promise<void> => {
    await using own = createDifferences({ ...deps, canStage: false });
    const collector = own.collect({ at: takenIn.asOf, isExpected: () => true });
    const pause = () => {
      // There are more than one transaction should have.
      if (own.isFull()) throw new Behind();
      return deps.pause();
    };
    await compareIdentities({ ...later, differences: collector, pause }, ids);
    changed += own.counts.all;
    await deps.conclude(own.takeRest(), takenIn);
  };

  const takeInChanges = async (): Promise<void> => {
    // The snapshot must have all that the round has staged. PostgreSQL is idle during this wait.
    await differences.staged();
    const renew = renewing();
    const opening = renew === null ? deps.opening : { ...deps.opening, open: renew };
    const { source: opened, asOf } = await openAtInstant(deps, opening);
    await using source = opened;
    const { at, ids } = await readChanges(source, asOf);
    if (ids.length === 0) return;
    const { identityRevision, identityCount } = source;
    const takenIn = { identityRevision, identityCount, asOf: at };
    differences.drop(new Set(ids));
    deps.onOvertaken(ids);
    const voidIds = await deps.register.voidExceptions(claim.tenant, source, at);
    const later = { ...comparison, source, voidIds, atMs: Date.parse(at), isOvertaken: () => false };
    if (isAtOnce()) await takeInAtOnce({ ...later, areDuesStored: true }, { ids, takenIn });
    else {
      const collector = differences.collect({ at, isExpected: () => true });
      const areDuesStored = !differences.isStaged();
      await compareIdentities({ ...later, areDuesStored, differences: collector }, ids);
    }
    taken = takenIn;
  };

  const takeInIfDue = async (onlyRenews: boolean): Promise<void> => {
    if (Math.abs(deps.now() - lookedMs) < EVERY_MS) return;
    if (renewing() === null && (onlyRenews || !isPossible)) return;
    if (renewing() !== null || (await hasChanges())) await takeInChanges();
    lookedMs = deps.now();
    if (!isPossible && (isAtOnce() || renewing() !== null)) throw new Behind();
  };
  const during = async (
    compare: (pause: Pause) => Promise<void>,
    { onlyRenews }: { readonly onlyRenews: boolean },
  ): Promise<'compared' | 'behind'> => {
    try {
      await compare(async () => {
        await deps.pause();
        await takeInIfDue(onlyRenews);
      });
      if (!deps.areInstantsKnown && taken !== deps.start) {
        await takeInChanges();
        if (!isPossible) throw new Behind();
      }
      return 'compared';
    } catch (err) {
      if (err instanceof Behind) return 'behind';
      throw err;
    }
  };

  return {
    takenIn: () => taken,
    changed: () => changed,
    duringChanged: (compare) => during(compare, { onlyRenews: true }),
    duringAll: (compare) => during(compare, { onlyRenews: !deps.areInstantsKnown }),
  };
}
