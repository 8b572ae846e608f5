import {
  digestOfFound,
  type EndedViolation,
  type PresentViolation,
  type RegisterBatch,
  type RegisterClaim,
  type RegisterMaintenance,
  type Store,
  type StoredViolation,
} from '@access-admin/store';

// A transaction of so many takes some tens of milliseconds. Half as many take a fifth more time in all on SQLite, where each commit
// writes the pages of the index of names anew, and PostgreSQL needs fifteen statements for each besides those of its rows.
export const BATCH_MAX = { sqlite: 1_000, postgres: 2_000 };

export interface DifferencesDeps {
  readonly register: Pick<RegisterMaintenance, 'apply'>;
  readonly engine: Store['engine'];
  readonly claim: RegisterClaim;
  /** The instant of the evaluation. */
  readonly at: string;
  readonly leaseMs: number;
  now(): number;
  /** Whether a change of data accounts for a difference. */
  isExpected(identityId: string, policyId: string): boolean;
}

/**
 * The differences between a register and an evaluation, stored some at a time. PostgreSQL stores some while it inserts the next
 * ones and others are collected; disposing of it waits for that.
 */
export interface Differences extends AsyncDisposable {
  /** All differences so far, and those that no change of data accounts for. */
  readonly counts: { readonly all: number; readonly unexpected: number };
  isFull(): boolean;
  /** Compares a violation that was found with the stored one; undefined where it is new. */
  compare(found: PresentViolation, stored: StoredViolation | undefined): void;
  end(ended: EndedViolation): void;
  setDue(identityId: string, due: string | null): void;
  /** Forgets what was collected of identities and is not stored. */
  drop(identityIds: ReadonlySet<string>): void;
  /** Resolves when no write is running; false when another worker has taken the register. */
  stored(): Promise<boolean>;
  /** Stores some of what was collected while there is much, in steps; the same. */
  saveIfFull(): AsyncGenerator<void, boolean>;
  /** Stores all that was collected; the same. */
  save(): Promise<boolean>;
}

/** The writes of differences, in order. */
function createWrites({ register, engine, claim, at, leaseMs, now }: DifferencesDeps) {
  // The last two, so that PostgreSQL begins one while it stores the other.
  let [earlier, running] = [Promise.resolve(true), Promise.resolve(true)];
  return {
    /** Begins to store what `take` returns once there is room; false when another worker has taken the register. */
    add: async (take: () => Piece): Promise<boolean> => {
      if (!(await earlier)) return false;
      earlier = running;
      running = register.apply(claim, { at, leaseEndMs: now() + leaseMs, ...take() });
      // Its failure is thrown by a later call.
      running.catch(() => {});
      // SQLite stores in this thread: its transactions would only take longer.
      return engine === 'postgres' || running;
    },
    stored: async () => (await earlier) && (await running),
    settled: () => Promise.allSettled([earlier, running]),
  };
}

export function createDifferences(deps: DifferencesDeps): Differences {
  const batchMax = BATCH_MAX[deps.engine];
  const writes = createWrites(deps);
  let batch = emptyBatch();
  const counts = { all: 0, unexpected: 0 };
  const count = ({ identity_id, policy_id }: Pick<StoredViolation, 'identity_id' | 'policy_id'>, more = 1) => {
    counts.all += more;
    if (!deps.isExpected(identity_id, policy_id)) counts.unexpected += more;
  };
  const size = () => batch.opened.length + batch.changed.length + batch.ended.length + batch.due.length;
  const take = () => {
    const [piece, rest] = split(batch, batchMax);
    batch = rest;
    return piece;
  };
  return {
    counts,
    isFull: () => size() >= batchMax,
    compare: (found, stored) => {
      if (stored === undefined) batch.opened.push(found);
      else if (stored.digest !== digestOfFound(found)) batch.changed.push({ stored, found });
      else return;
      count(keyOfFound(found));
    },
    end: (ended) => {
      batch.ended.push(ended);
      count(ended.stored);
    },
    setDue: (identityId, due) => void batch.due.push({ identityId, due }),
    drop: (identityIds) => {
      const { opened, changed, ended, due } = batch;
      for (const found of opened) if (identityIds.has(found.identityId)) count(keyOfFound(found), -1);
      for (const { stored } of [...changed, ...ended]) if (identityIds.has(stored.identity_id)) count(stored, -1);
      batch = {
        opened: opened.filter(({ identityId }) => !identityIds.has(identityId)),
        changed: changed.filter(({ stored }) => !identityIds.has(stored.identity_id)),
        ended: ended.filter(({ stored }) => !identityIds.has(stored.identity_id)),
        due: due.filter(({ identityId }) => !identityIds.has(identityId)),
      };
    },
    stored: writes.stored,
    saveIfFull: async function* () {
      // What was collected between two pauses may be much more than a transaction should have.
      while (size() >= batchMax) {
        if (!(await writes.add(take))) return false;
        yield;
      }
      return true;
    },
    save: async () => {
      while (size() > 0) if (!(await writes.add(take))) return false;
      return writes.stored();
    },
    [Symbol.asyncDispose]: async () => void (await writes.settled()),
  };
}

const keyOfFound = ({ identityId, policyId }: PresentViolation) => ({ identity_id: identityId, policy_id: policyId });

type Piece = Pick<RegisterBatch, 'opened' | 'changed' | 'ended' | 'due'>;
type Collected = { [Name in keyof Piece]: Piece[Name][number][] };

const emptyBatch = (): Collected => ({ opened: [], changed: [], ended: [], due: [] });

/** The first of everything collected, for a transaction, and the rest. */
function split({ opened, changed, ended, due }: Collected, max: number): readonly [Piece, Collected] {
  const pieceOf = (from: number, to?: number) => ({
    opened: opened.slice(from, to),
    changed: changed.slice(from, to),
    ended: ended.slice(from, to),
    due: due.slice(from, to),
  });
  return [pieceOf(0, max), pieceOf(max)];
}
