import {
  type AccessAdminClient,
  type AuditLogVerification,
  type SignedAuditHead,
  verifyAuditEvents,
  verifyAuditHead,
} from '@access-admin/client';

/** What is shown of a verification of the log while it lasts, and at its end. */
export type Verification =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly verified: number; readonly total: number }
  | { readonly state: 'stopped'; readonly verified: number; readonly total: number }
  | { readonly state: 'failed'; readonly verified: number; readonly error: unknown }
  | { readonly state: 'done'; readonly result: AuditLogVerification; readonly head: SignedAuditHead };

export interface VerifyLogOptions {
  /** A signed end that was kept at an earlier time: the log must still go through it. */
  readonly kept: SignedAuditHead | null;
  readonly signal: AbortSignal;
  readonly onChange: (verification: Verification) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

// More often than a person can read.
const TELL_MS = 100;

/**
 * Verifies the whole log: the events are read as they arrive, the first one first, and their hashes are computed in this browser.
 * Neither the events nor their hashes are kept.
 */
export async function verifyLog(
  { auditEvents, health }: Pick<AccessAdminClient, 'auditEvents' | 'health'>,
  { kept, signal, onChange, now }: VerifyLogOptions,
): Promise<void> {
  let verified = 0;
  let total = 0;
  let toldAt = now();
  onChange({ state: 'running', verified, total });
  try {
    const [jwks, head] = await Promise.all([health.keys({ signal }), auditEvents.head({ signal })]);
    const given = kept === null ? [head] : [head, kept];
    const heads = await Promise.all(given.map((each) => verifyAuditHead(each, { jwks })));
    total = head.sequence;
    const result = await verifyAuditEvents(auditEvents.export({ signal }), {
      heads,
      onProgress: (sequence) => {
        verified = sequence;
        if (signal.aborted || now() - toldAt < TELL_MS) return;
        toldAt = now();
        onChange({ state: 'running', verified, total });
      },
    });
    if (!signal.aborted) onChange({ state: 'done', result, head });
  } catch (error) {
    if (!signal.aborted) onChange({ state: 'failed', verified, error });
  }
  if (signal.aborted) onChange({ state: 'stopped', verified, total });
}

/** The signed end that a file holds; null where it holds none. */
export function parseHead(text: string): SignedAuditHead | null {
  try {
    const { sequence, hash, firstSequence = 1, previousHash = null, signature } = JSON.parse(text);
    const isHead = [sequence, firstSequence].every(Number.isSafeInteger) && [hash, previousHash].every(isTextOrNull);
    return isHead && typeof signature === 'string' ? { sequence, hash, firstSequence, previousHash, signature } : null;
  } catch {
    return null;
  }
}

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
