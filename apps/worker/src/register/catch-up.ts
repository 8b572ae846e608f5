import type { RegisterClaim, RegisterSource } from '@access-admin/store';
import { type Comparison, compareIdentities } from './compare-identities.ts';
import type { Differences } from './differences.ts';

/** What the register has taken in of the identities by the end of a round. */
export interface TakenIn {
  readonly identityRevision: number;
  readonly identityCount: number;
  /** The instant that the register is evaluated for. */
  readonly asOf: string;
  readonly deleted: readonly string[];
  /** How many violations were changed besides those of the round itself. */
  readonly changed: number;
}

export interface CatchUpDeps {
  readonly claim: RegisterClaim;
  readonly comparison: Comparison;
  /** What the source of the round has. */
  readonly start: TakenIn;
  /** Whether it is known which identities have changed since the last round. */
  readonly isPossible: boolean;
  /** Milliseconds since 1970. */
  now(): number;
  /** Opens the data of the present. */
  open(): Promise<RegisterSource>;
  /** Creates empty differences for an instant. */
  createDifferences(at: string): Differences;
  /** Identities are compared with later data than those of the round, which must not compare them any more. */
  onOvertaken(ids: readonly string[]): void;
}

/** Takes in changes of identities while a round compares many, so that they do not wait for its end. */
export interface CatchUp {
  takenIn(): TakenIn;
  /** Runs a comparison with pauses for changed identities, in steps; false when the register is lost. */
  during(comparing: AsyncGenerator<void, boolean>): AsyncGenerator<void, boolean>;
}

const EVERY_MS = 100;

/**
 * Changed identities are evaluated with the rulebook of the round and their present data. An identity whose access depends on
 * time is among them when its instant comes, so that all others are at the end what they were at the start.
 */
export function createCatchUp(deps: CatchUpDeps): CatchUp {
  const { claim, comparison } = deps;
  let taken = deps.start;
  let [isPossible, lookedMs] = [deps.isPossible, deps.now()];

  const readChanges = async (source: RegisterSource) => {
    const at = new Date(Math.max(deps.now(), Date.parse(taken.asOf))).toISOString();
    const since = { ...claim, ...source.version, identityRevision: taken.identityRevision, asOf: taken.asOf };
    const { identities, deleted } = await source.changesSince(since, at);
    // Too many: the next round compares everything.
    isPossible = identities !== null && deleted !== null;
    const ids = isPossible ? [...new Set([...(identities ?? []), ...(deleted ?? [])])] : [];
    return { at, deleted: deleted ?? [], ids };
  };
  const hasChanges = async (): Promise<boolean> => {
    await using source = await deps.open();
    return (await readChanges(source)).ids.length > 0;
  };

  const takeInChanges = async function* (): AsyncGenerator<void, boolean> {
    // The snapshot must have all that the round has stored. PostgreSQL is idle during this wait.
    if (!(await comparison.differences.stored())) return false;
    await using source = await deps.open();
    const { at, deleted, ids } = await readChanges(source);
    if (ids.length === 0) return true;
    comparison.differences.drop(new Set(ids));
    deps.onOvertaken(ids);
    await using differences = deps.createDifferences(at);
    const later = { ...comparison, source, atMs: Date.parse(at), differences, isOvertaken: () => false };
    if (!(yield* compareIdentities(later, ids)) || !(await differences.save())) return false;
    taken = {
      ...{ identityRevision: source.identityRevision, identityCount: source.identityCount, asOf: at },
      ...{ deleted: [...taken.deleted, ...deleted], changed: taken.changed + differences.counts.all },
    };
    return true;
  };

  const takeInIfDue = async function* (): AsyncGenerator<void, boolean> {
    if (!isPossible || Math.abs(deps.now() - lookedMs) < EVERY_MS) return true;
    const isHeld = !(await hasChanges()) || (yield* takeInChanges());
    lookedMs = deps.now();
    return isHeld;
  };

  return {
    takenIn: () => taken,
    during: async function* (comparing) {
      try {
        for (let step = await comparing.next(); ; step = await comparing.next()) {
          if (step.done === true) return step.value;
          yield;
          if (!(yield* takeInIfDue())) return false;
        }
      } finally {
        await comparing.return(false);
      }
    },
  };
}
