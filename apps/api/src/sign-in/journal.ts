import { type AuditContext, newEvent, type SignInReason } from '@access-admin/domain';
import type { SignInFailureStore, SignInIdentity, SignInSettingsStore } from '@access-admin/store';
import type { DenialLog } from '../audit/denial-log.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { PageContext } from './pages/context.ts';

/** The identity that an attempt names; null when it names none. */
type Named = Pick<SignInIdentity, 'id' | 'displayName'> | null;

/** Counts and records attempts to sign in that fail. */
export interface SignInJournal {
  /** Whether the address of the caller is locked. */
  isAddressLocked(c: PageContext): Promise<boolean>;
  /** A proof was wrong: counts for the locks of the user and of the address; from a locked address for the latter alone. */
  failed(c: PageContext, identity: Named): Promise<void>;
  /** The decision refuses the identity: counts for the lock of the address alone. An attempt of a locked user is no further block. */
  blocked(c: PageContext, identity: NonNullable<Named>, reasons: readonly SignInReason[]): Promise<void>;
}

interface JournalDeps {
  readonly signInFailures: Pick<SignInFailureStore, 'record' | 'recordBlock' | 'readLocks'>;
  readonly denials: Pick<DenialLog, 'record'>;
  readonly signInSettings: Pick<SignInSettingsStore, 'read'>;
  /** The address by which attempts are counted. */
  readonly clientAddress: ClientAddress;
  readonly metrics: Pick<Metrics, 'countFailedSignIn'>;
  readonly now: () => Date;
}

const MINUTE_MS = 60_000;
/** An address is shared by several users, so it is locked after more failures. */
const ATTEMPTS_OF_ADDRESS = 20;

export function createSignInJournal(deps: JournalDeps): SignInJournal {
  const { signInFailures, denials, signInSettings, clientAddress, metrics, now } = deps;
  /** An attempt proves nobody, so its actor is its address. */
  const contextOf = (c: PageContext): AuditContext => ({
    tenant: c.get('tenant'),
    actor: { clientId: `address:${clientAddress(c)}`, identityId: null },
    operation: 'sign-in',
    time: now().toISOString(),
    trackingId: c.env.state.trackingId,
  });
  const count = async (c: PageContext, context: AuditContext, identity: Named) => {
    const { lockout } = await signInSettings.read(c.get('tenant'));
    const address = clientAddress(c);
    const failure = {
      identityId: identity?.id ?? null,
      address,
      nowMs: Date.parse(context.time),
      windowMs: lockout.lockoutWindow * MINUTE_MS,
      durationMs: lockout.lockoutDuration * MINUTE_MS,
      userAttempts: lockout.maximumAttempts,
      addressAttempts: lockout.maximumAttempts * ATTEMPTS_OF_ADDRESS,
    };
    const { wasAddressLocked } = await signInFailures.record(context, failure, ({ identityId, lockedUntil }) =>
      newEvent('sign-in.locked', identityId, {
        time: context.time,
        data: { ...shown(identityId === null ? null : identity), reasons: ['LOCKED_OUT'], lockedUntil, address },
      }),
    );
    // Once locked, an address cannot try other users.
    return wasAddressLocked ? null : identity;
  };
  return {
    isAddressLocked: async (c) => {
      const who = { identityId: null, address: clientAddress(c), nowMs: now().getTime() };
      return (await signInFailures.readLocks(c.get('tenant'), who)).address !== null;
    },
    failed: async (c, identity) => {
      metrics.countFailedSignIn('proof');
      const context = contextOf(c);
      const counted = await count(c, context, identity);
      await denials.record(context, resourceOf(counted));
    },
    blocked: async (c, identity, reasons) => {
      if (reasons.includes('LOCKED_OUT')) return;
      metrics.countFailedSignIn('decision');
      const context = { ...contextOf(c), operation: 'sign-in-blocked' };
      await count(c, { ...context, operation: 'sign-in' }, null);
      const address = clientAddress(c);
      const data = { ...shown(identity), reasons, lockedUntil: null, address };
      const event = newEvent('sign-in.blocked', identity.id, { time: context.time, data });
      await denials.record(context, resourceOf(identity), () =>
        signInFailures.recordBlock(context, identity.id, event),
      );
    },
  };
}

const resourceOf = (identity: Named) => ({ type: 'AUTH_USER', id: identity?.id ?? null }) as const;

const shown = (identity: Named) => ({ id: identity?.id ?? null, displayName: identity?.displayName ?? null });
