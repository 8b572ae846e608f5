import type { RegisterMaintenance, RegisterSource } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import { isSameRulebook, type Opening, openAtInstant } from '../reports/open-current.ts';
import type { Differences, DifferencesDeps } from './apply.ts';
import { createDifferences } from './apply.ts';
import { type Comparison, compareIdentities } from './compare-identities.ts';
import { latestOf } from './read-changes.ts';

/** What the register has of the identities. */
export interface TakenIn {
  readonly identityRevision: number;
  readonly identityCount: number;
  /** The instant that the changed ones were evaluated for. */
  readonly asOf: string;
}

export interface TakeChangesDeps extends Omit<DifferencesDeps, 'at' | 'isExpected' | 'register'> {
  readonly register: Pick<RegisterMaintenance, 'apply' | 'voidExceptions'>;
  readonly comparison: Omit<Comparison, 'isTaken' | 'leave'>;
  readonly opening: Opening<RegisterSource>;
  /** What the round began with. */
  readonly start: TakenIn;
  /** Milliseconds since 1970. */
  now(): number;
  /** Called where something was taken in. */
  onTaken(takenIn: TakenIn): Promise<void>;
  /** Called where changes cannot be taken in: of the rulebook, or of very many identities. May throw to end the round. */
  onMissed(): void;
}

/** Takes in changes of identities while a round compares many. */
export interface ChangesTaken {
  takenIn(): TakenIn;
  /** How many violations were changed. */
  changed(): number;
  isTaken(identityId: string): boolean;
  /** Takes in what has changed by now, if that is possible. */
  take(): Promise<void>;
  /** A pause in which changes are taken in from time to time. */
  readonly pause: Pause;
}

const EVERY_MS = 100;

/**
 * A change of one identity does not wait for the end of a long round: it is compared with the rulebook of the round, and the round
 * leaves the identity out from then on. After a change of the rulebook, changed identities are left to the next round.
 */
export function takeChanges(deps: TakeChangesDeps): ChangesTaken {
  const { claim, comparison, opening, now, pause } = { ...deps, pause: deps.comparison.pause };
  const taken = new Set<string>();
  let takenIn = deps.start;
  let changed = 0;
  let lookedMs = now();
  let isPossible = true;

  /** The identities that have changed or whose time has come; null where they cannot be taken in. */
  const readChanged = async () => {
    const { source: opened, asOf: instant } = await openAtInstant(deps, opening);
    await using source = opened;
    const asOf = latestOf(takenIn.asOf, instant);
    const since = { ...claim, ...source.version, identityRevision: takenIn.identityRevision, asOf: takenIn.asOf };
    const { identities, deleted } = await source.changesSince(since, asOf);
    if (!isSameRulebook(source.version, comparison.version.version) || identities === null || deleted === null)
      return null;
    await deps.register.voidExceptions(claim.tenant, source, asOf);
    const { identityRevision, identityCount } = source;
    return { ids: new Set([...identities, ...deleted]), next: { identityRevision, identityCount, asOf } };
  };
  const take = async (): Promise<void> => {
    if (!isPossible) return;
    const found = await readChanged();
    if (found === null) {
      isPossible = false;
      return deps.onMissed();
    }
    const { ids, next } = found;
    if (ids.size === 0) return;
    for (const id of ids) taken.add(id);
    comparison.differences.drop(ids);
    const differences: Differences = createDifferences({ ...deps, at: next.asOf, isExpected: () => true });
    const version = { ...comparison.version, identityRevision: next.identityRevision };
    const atMs = Date.parse(next.asOf);
    const leave = (id: string) => void taken.delete(id);
    await compareIdentities({ ...comparison, version, atMs, differences, isTaken: () => false, leave }, [...ids]);
    await differences.save(pause);
    changed += differences.counts.all;
    takenIn = next;
    await deps.onTaken(next);
  };

  return {
    takenIn: () => takenIn,
    changed: () => changed,
    isTaken: (id) => taken.has(id),
    take,
    pause: async () => {
      await pause();
      if (Math.abs(now() - lookedMs) < EVERY_MS) return;
      await take();
      lookedMs = now();
    },
  };
}
