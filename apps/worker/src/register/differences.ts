import {
  type ChangedViolation,
  digestOfFound,
  type EndedViolation,
  type NextDue,
  type OpenedViolation,
  type PresentViolation,
  type RegisterBatch,
  type RegisterClaim,
  type RegisterMaintenance,
  type Store,
  type StoredViolation,
} from '@access-admin/store';
import { LeaseLost, type Pause } from '../leased/pause.ts';

// A transaction of so many takes some tens of milliseconds. Half as many take a fifth more time in all on SQLite, where each commit
// writes the pages of the index of names anew, and PostgreSQL needs fifteen statements for each besides those of its rows.
export const BATCH_MAX = { sqlite: 1_000, postgres: 2_000 };

export interface DifferencesDeps {
  readonly register: Pick<RegisterMaintenance, 'stage'>;
  readonly engine: Store['engine'];
  readonly claim: RegisterClaim;
  readonly leaseMs: number;
  now(): number;
  /** How many differences a transaction has at most. */
  readonly batchMax: number;
  /** Whether what is more may be staged; otherwise all stays in memory. */
  readonly canStage: boolean;
}

/** Next instants that are so near, in milliseconds, may come before the round ends. */
export const SOON_MS = 3_600_000;

/** An evaluation at an instant. */
export interface Evaluated {
  readonly at: string;
  /** Whether a change of data accounts for a difference. */
  isExpected(identityId: string, policyId: string): boolean;
}

/** Takes the differences that an evaluation finds. */
export interface Collector {
  isFull(): boolean;
  /** Compares a violation that was found with the stored one; undefined where it is new. */
  compare(found: PresentViolation, stored: StoredViolation | undefined): void;
  end(stored: StoredViolation, status: EndedViolation['status']): void;
  setDue(identityId: string, due: string | null): void;
  /** Stages some of what was collected while there is much, with pauses. Throws `LeaseLost` when another worker has taken the register. */
  saveIfFull(pause: Pause): Promise<void>;
}

/**
 * The differences between a register and evaluations. They are kept in memory, to be stored when the round is concluded; what
 * is more than one transaction should have is staged. PostgreSQL stages some while it inserts the next ones and others are
 * collected; disposing of it waits for that.
 */
export interface Differences extends AsyncDisposable {
  /** All differences so far, and those that no change of data accounts for. */
  readonly counts: { readonly all: number; readonly unexpected: number };
  collect(evaluated: Evaluated): Collector;
  /** Forgets what was collected of identities and is not staged. */
  drop(identityIds: ReadonlySet<string>): void;
  isFull(): boolean;
  /** Identities whose next instant, as the round has found it, comes up to an instant that is near. */
  dueUntil(instant: string): readonly string[];
  /** Whether something was staged. */
  isStaged(): boolean;
  /** Resolves when nothing is being staged. Throws `LeaseLost` when another worker has taken the register. */
  staged(): Promise<void>;
  /** Takes what is not staged. */
  takeRest(): RegisterBatch;
}

/** The writes of differences, in order. */
function createWrites({ register, engine, claim, leaseMs, now }: DifferencesDeps) {
  // The last two, so that PostgreSQL begins one while it stores the other.
  let earlier = Promise.resolve(true);
  let running = Promise.resolve(true);
  return {
    /** Begins to stage what `take` returns once there is room; false when another worker has taken the register. */
    add: async (take: () => RegisterBatch): Promise<boolean> => {
      if (!(await earlier)) return false;
      earlier = running;
      running = register.stage(claim, take(), now() + leaseMs);
      // Its failure is thrown by a later call.
      running.catch(() => {});
      // SQLite stores in this thread: its transactions would only take longer.
      return engine === 'postgres' || running;
    },
    staged: async () => (await earlier) && (await running),
    settled: () => Promise.allSettled([earlier, running]),
  };
}

export function createDifferences(deps: DifferencesDeps): Differences {
  const { batchMax } = deps;
  const writes = createWrites(deps);
  let collected = nothing();
  let isStaged = false;
  /** The next instants of identities that are near. */
  const soon = new Map<string, string>();
  const setDue = (identityId: string, due: string | null, at: string) => {
    collected.due.push({ identityId, due });
    if (due !== null && Date.parse(due) <= Date.parse(at) + SOON_MS) soon.set(identityId, due);
    else soon.delete(identityId);
  };
  const counts = { all: 0, unexpected: 0 };
  const count = ({ isExpected }: Expected, more = 1) => {
    counts.all += more;
    if (!isExpected) counts.unexpected += more;
  };
  const size = () => {
    const { opened, changed, ended, due } = collected;
    return opened.length + changed.length + ended.length + due.length;
  };
  const take = () => {
    const { piece, rest } = split(collected, batchMax);
    collected = rest;
    return piece;
  };
  const isFull = () => size() >= batchMax;
  return {
    counts,
    isFull,
    collect: ({ at, isExpected }) => ({
      isFull,
      compare: (found, stored) => {
        if (stored !== undefined && stored.digest === digestOfFound(found)) return;
        const expected = { isExpected: isExpected(found.identityId, found.policyId) };
        if (stored === undefined) collected.opened.push({ at, found, ...expected });
        else collected.changed.push({ at, stored, found, ...expected });
        count(expected);
      },
      end: (stored, status) => {
        const expected = { isExpected: isExpected(stored.identity_id, stored.policy_id) };
        collected.ended.push({ at, stored, status, ...expected });
        count(expected);
      },
      setDue: (identityId, due) => setDue(identityId, due, at),
      saveIfFull: async (pause) => {
        // What was collected between two pauses may be much more than a transaction should have.
        while (deps.canStage && isFull()) {
          isStaged = true;
          if (!(await writes.add(take))) throw new LeaseLost();
          await pause();
        }
      },
    }),
    dueUntil: (instant) => [...soon].flatMap(([identityId, due]) => (due <= instant ? identityId : [])),
    drop: (ids) => {
      for (const id of ids) soon.delete(id);
      const keep = (each: Expected, identityId: string) => {
        const isDropped = ids.has(identityId);
        if (isDropped) count(each, -1);
        return !isDropped;
      };
      collected = {
        opened: collected.opened.filter((each) => keep(each, each.found.identityId)),
        changed: collected.changed.filter((each) => keep(each, each.stored.identity_id)),
        ended: collected.ended.filter((each) => keep(each, each.stored.identity_id)),
        due: collected.due.filter(({ identityId }) => !ids.has(identityId)),
      };
    },
    isStaged: () => isStaged,
    staged: async () => {
      if (!(await writes.staged())) throw new LeaseLost();
    },
    takeRest: () => {
      const rest = collected;
      collected = nothing();
      return rest;
    },
    [Symbol.asyncDispose]: async () => void (await writes.settled()),
  };
}

interface Expected {
  readonly isExpected: boolean;
}

interface Collected {
  readonly opened: (OpenedViolation & Expected)[];
  readonly changed: (ChangedViolation & Expected)[];
  readonly ended: (EndedViolation & Expected)[];
  readonly due: NextDue[];
}

const nothing = (): Collected => ({ opened: [], changed: [], ended: [], due: [] });

/** The first of everything collected, for a transaction, and the rest. */
function split({ opened, changed, ended, due }: Collected, max: number) {
  const pieceOf = (from: number, to?: number): Collected => ({
    opened: opened.slice(from, to),
    changed: changed.slice(from, to),
    ended: ended.slice(from, to),
    due: due.slice(from, to),
  });
  return { piece: pieceOf(0, max), rest: pieceOf(max) };
}
