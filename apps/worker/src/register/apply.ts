import {
  type ChangedViolation,
  digestOfFound,
  type EndedViolation,
  type NextDue,
  type PresentViolation,
  type RegisterBatch,
  type RegisterClaim,
  type RegisterMaintenance,
  type StoredViolation,
} from '@access-admin/store';
import { LeaseLost, type Pause } from '../leased/pause.ts';

// A transaction of this many differences takes about 20 ms on SQLite, where other writers wait for it, and 60 ms on PostgreSQL.
export const BATCH_MAX = { sqlite: 400, postgres: 1_000 };

export interface DifferencesDeps {
  readonly register: Pick<RegisterMaintenance, 'apply'>;
  readonly claim: RegisterClaim;
  /** How many differences a transaction has at most. */
  readonly batchMax: number;
  /** The instant of the evaluation, ISO 8601. */
  readonly at: string;
  /** Whether a change of data accounts for a difference. */
  isExpected(identityId: string, policyId: string): boolean;
}

/** Collects the differences between the register and an evaluation, and stores them in batches, which readers see at once. */
export interface Differences {
  /** All differences so far, and those that no change of data accounts for. */
  readonly counts: { readonly all: number; readonly unexpected: number };
  /** Compares a violation that was found with the stored one; undefined where it is new. */
  compare(found: PresentViolation, stored: StoredViolation | undefined): void;
  end(stored: StoredViolation, status: EndedViolation['status']): void;
  setDue(identityId: string, due: string | null): void;
  /** Forgets what was collected of identities. */
  drop(identityIds: ReadonlySet<string>): void;
  /** Whether a transaction is full. */
  isFull(): boolean;
  /** Stores what was collected, with pauses. Throws `LeaseLost` if another worker holds the register. */
  save(pause: Pause): Promise<void>;
}

interface Collected {
  opened: PresentViolation[];
  changed: ChangedViolation[];
  ended: EndedViolation[];
  due: NextDue[];
}

export function createDifferences(deps: DifferencesDeps): Differences {
  const { register, claim, batchMax, at, isExpected } = deps;
  const collected: Collected = { opened: [], changed: [], ended: [], due: [] };
  const counts = { all: 0, unexpected: 0 };
  const count = (identityId: string, policyId: string, more = 1) => {
    counts.all += more;
    if (!isExpected(identityId, policyId)) counts.unexpected += more;
  };
  const size = () => Object.values(collected).reduce((sum, { length }) => sum + length, 0);
  const takeBatch = (): RegisterBatch => {
    let room = batchMax;
    const take = <T>(from: T[]): readonly T[] => {
      const taken = from.splice(0, room);
      room -= taken.length;
      return taken;
    };
    const { opened, changed, ended, due } = collected;
    // Next instants come last: once its own is stored, an identity whose time has come is not compared again.
    return { at, opened: take(opened), changed: take(changed), ended: take(ended), due: take(due) };
  };
  return {
    counts,
    compare: (found, stored) => {
      if (stored !== undefined && stored.digest === digestOfFound(found)) return;
      if (stored === undefined) collected.opened.push(found);
      else collected.changed.push({ stored, found });
      count(found.identityId, found.policyId);
    },
    end: (stored, status) => {
      collected.ended.push({ stored, status });
      count(stored.identity_id, stored.policy_id);
    },
    setDue: (identityId, due) => void collected.due.push({ identityId, due }),
    drop: (ids) => {
      const keep = (identityId: string, policyId: string) => {
        const isKept = !ids.has(identityId);
        if (!isKept) count(identityId, policyId, -1);
        return isKept;
      };
      const { opened, changed, ended, due } = collected;
      collected.opened = opened.filter((found) => keep(found.identityId, found.policyId));
      collected.changed = changed.filter(({ found }) => keep(found.identityId, found.policyId));
      collected.ended = ended.filter(({ stored }) => keep(stored.identity_id, stored.policy_id));
      collected.due = due.filter(({ identityId }) => !ids.has(identityId));
    },
    isFull: () => size() >= batchMax,
    save: async (pause) => {
      while (size() > 0) {
        if (!(await register.apply(claim, takeBatch()))) throw new LeaseLost();
        await pause();
      }
    },
  };
}
