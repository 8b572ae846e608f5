import {
  digestOfFound,
  type EndedViolation,
  type PresentViolation,
  type RegisterBatch,
  type RegisterClaim,
  type RegisterMaintenance,
  type StoredViolation,
} from '@access-admin/store';

// A transaction of this many takes some tens of milliseconds.
const BATCH_MAX = 300;

export interface DifferencesDeps {
  readonly register: Pick<RegisterMaintenance, 'apply'>;
  readonly claim: RegisterClaim;
  /** The instant of the evaluation. */
  readonly at: string;
  readonly leaseMs: number;
  now(): number;
  /** Whether a change of data accounts for a difference. */
  isExpected(identityId: string, policyId: string): boolean;
}

/** The differences between a register and an evaluation, stored some at a time. */
export interface Differences {
  /** All differences so far, and those that no change of data accounts for. */
  readonly counts: { readonly all: number; readonly unexpected: number };
  isFull(): boolean;
  /** Compares a violation that was found with the stored one; undefined where it is new. */
  compare(found: PresentViolation, stored: StoredViolation | undefined): void;
  end(ended: EndedViolation): void;
  setDue(identityId: string, due: string | null): void;
  /** Stores what was collected; false when another worker has taken the register. */
  save(): Promise<boolean>;
}

export function createDifferences(deps: DifferencesDeps): Differences {
  const { register, claim, at } = deps;
  let batch = emptyBatch();
  let size = 0;
  const counts = { all: 0, unexpected: 0 };
  const count = (identityId: string, policyId: string) => {
    size += 1;
    counts.all += 1;
    if (!deps.isExpected(identityId, policyId)) counts.unexpected += 1;
  };
  return {
    counts,
    isFull: () => size >= BATCH_MAX,
    compare: (found, stored) => {
      if (stored === undefined) batch.opened.push(found);
      else if (stored.digest !== digestOfFound(found)) batch.changed.push({ stored, found });
      else return;
      count(found.identityId, found.policyId);
    },
    end: (ended) => {
      batch.ended.push(ended);
      count(ended.stored.identity_id, ended.stored.policy_id);
    },
    setDue: (identityId, due) => {
      batch.due.push({ identityId, due });
      size += 1;
    },
    save: async () => {
      if (size === 0) return true;
      const { opened, changed, ended, due } = batch;
      [batch, size] = [emptyBatch(), 0];
      const leaseEndMs = deps.now() + deps.leaseMs;
      // What was collected between two pauses may be more than a transaction should have.
      for (const piece of piecesOf({ opened, changed, ended, due }))
        if (!(await register.apply(claim, { at, leaseEndMs, ...piece }))) return false;
      return true;
    },
  };
}

type Piece = Pick<RegisterBatch, 'opened' | 'changed' | 'ended' | 'due'>;
type Collected = { [Name in keyof Piece]: Piece[Name][number][] };

const emptyBatch = (): Collected => ({ opened: [], changed: [], ended: [], due: [] });

function* piecesOf({ opened, changed, ended, due }: Piece): Generator<Piece> {
  const length = Math.max(opened.length, changed.length, ended.length, due.length);
  for (let from = 0; from < length; from += BATCH_MAX) {
    const end = from + BATCH_MAX;
    yield {
      opened: opened.slice(from, end),
      changed: changed.slice(from, end),
      ended: ended.slice(from, end),
      due: due.slice(from, end),
    };
  }
}
