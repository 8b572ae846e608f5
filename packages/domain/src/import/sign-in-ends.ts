import { gainsCapability } from '../administration/capability.ts';
import type { ImportBase, ImportPlan } from './records.ts';

/** The identities whose links, sign-ins and sessions an import revokes. */
export interface SignInEnds {
  /**
   * Identities that gain a capability: ends their links, the sign-ins that began with one, and what was set through a link whose
   * maker lacks it.
   */
  readonly promoted: readonly string[];
  /** Identities with a new uid: ends their links, pending sign-ins and sessions. An identity may be in several lists. */
  readonly renamed: readonly string[];
  /** Identities that are no longer active: ends the same, and whatever acts as them. */
  readonly deactivated: readonly string[];
}

/** Determines for which identities an import ends sign-ins. A deleted identity has none, and a new one none yet. */
export function signInEndsOf(
  { upserts }: Pick<ImportPlan, 'upserts'>,
  { stored }: Pick<ImportBase, 'stored'>,
): SignInEnds {
  const promoted: string[] = [];
  const renamed: string[] = [];
  const deactivated: string[] = [];
  for (const { id, uid, active, capabilities } of upserts.identity) {
    const before = stored.identity.get(id);
    if (before === undefined) continue;
    if (before.uid !== uid) renamed.push(id);
    if (before.active && !active) deactivated.push(id);
    if (gainsCapability(before.capabilities, capabilities)) promoted.push(id);
  }
  return { promoted, renamed, deactivated };
}
