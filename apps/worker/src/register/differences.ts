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
  /** Identities whose differences are not stored, because they are compared with later data. It may grow. */
  readonly skipped: ReadonlySet<string>;
  /** Whether a change of data accounts for a difference. */
  isExpected(identityId: string, policyId: string): boolean;
}

/** Collects the differences between the register and an evaluation, and stores them in batches, which readers see at once. */
export interface Differences {
  /** The violations that were stored, and those that no change of data accounts for. */
  readonly counts: { readonly all: number; readonly unexpected: number };
  /** Compares a violation that was found with the stored one; undefined where it is new. */
  compare(found: PresentViolation, stored: StoredViolation | undefined): void;
  end(stored: StoredViolation, status: EndedViolation['status']): void;
  setDue(identityId: string, due: string | null): void;
  /** Whether a transaction is full. */
  isFull(): boolean;
  /** Stores what was collected, with pauses. Throws `LeaseLost` if another worker holds the register. */
  save(pause: Pause): Promise<void>;
}

export function createDifferences(deps: DifferencesDeps): Differences {
  const { register, claim, batchMax, at, skipped, isExpected } = deps;
  const opened: PresentViolation[] = [];
  const changed: ChangedViolation[] = [];
  const ended: EndedViolation[] = [];
  const due: NextDue[] = [];
  const counts = { all: 0, unexpected: 0 };
  const count = (identityId: string, policyId: string) => {
    counts.all += 1;
    if (!isExpected(identityId, policyId)) counts.unexpected += 1;
  };
  const size = () => opened.length + changed.length + ended.length + due.length;
  const takeBatch = (): RegisterBatch => {
    let room = batchMax;
    const take = <T>(from: T[], identityOf: (each: T) => string): readonly T[] => {
      const taken = from.splice(0, room);
      room -= taken.length;
      return taken.filter((each) => !skipped.has(identityOf(each)));
    };
    return {
      at,
      opened: take(opened, ({ identityId }) => identityId),
      changed: take(changed, ({ found }) => found.identityId),
      ended: take(ended, ({ stored }) => stored.identity_id),
      // Last: if the next instant of an identity were stored before its differences, a crash would lose them.
      due: take(due, ({ identityId }) => identityId),
    };
  };
  return {
    counts,
    compare: (found, stored) => {
      if (stored === undefined) opened.push(found);
      else if (stored.digest !== digestOfFound(found)) changed.push({ stored, found });
    },
    end: (stored, status) => void ended.push({ stored, status }),
    setDue: (identityId, next) => void due.push({ identityId, due: next }),
    isFull: () => size() >= batchMax,
    save: async (pause) => {
      while (size() > 0) {
        const batch = takeBatch();
        if (!(await register.apply(claim, batch))) throw new LeaseLost();
        for (const { identityId, policyId } of batch.opened) count(identityId, policyId);
        for (const { stored } of [...batch.changed, ...batch.ended]) count(stored.identity_id, stored.policy_id);
        await pause();
      }
    },
  };
}
