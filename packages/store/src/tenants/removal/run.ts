import { isThrough, type TenantRemovalClaim, type TenantRemovalStore } from './store.ts';

export interface TenantRemovalDeps {
  readonly removals: Pick<TenantRemovalStore, 'removeSome' | 'finish' | 'release'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after `ms`, or as soon as the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** How long a removal is claimed. Each batch prolongs it. */
export const TENANT_REMOVAL_LEASE_MS = 5_000;

/**
 * The name of a tenant stays taken for this long after the request at least: until the requests that were let in before have
 * ended, and no process remembers anything of it.
 */
const NAME_TAKEN_MS = 5_000;
const PAUSE_MS_MIN = 1;

/**
 * Carries a claimed removal out until nothing is left; true then. False where another process has it, where the signal is
 * aborted, or where the name must stay taken for a while: another claim goes on from there.
 */
export async function removeTenant(
  claim: TenantRemovalClaim,
  { removals, now, wait }: TenantRemovalDeps,
  signal: AbortSignal,
): Promise<boolean> {
  for (let at = 0; !signal.aborted; ) {
    const beganMs = now();
    const step = isThrough(at)
      ? await removals.finish(claim)
      : await removals.removeSome(claim, at, beganMs + TENANT_REMOVAL_LEASE_MS);
    if (step === 'done') return true;
    if (step === 'lost') return false;
    at = step.next;
    // The clock may jump either way.
    const takenForMs = NAME_TAKEN_MS - Math.abs(now() - claim.requestedMs);
    if (isThrough(at) && takenForMs > 0) {
      await removals.release(claim, now() + takenForMs);
      return false;
    }
    // As long as the batch took, so that writes of other processes get their turn.
    await wait(Math.max(PAUSE_MS_MIN, now() - beganMs), signal);
  }
  await removals.release(claim, now());
  return false;
}
