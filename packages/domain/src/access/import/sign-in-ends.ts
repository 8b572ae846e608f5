import { gainsCapability } from '../../administration/capability.ts';
import type { ImportBase, ImportPlan } from './records.ts';

/** The identities for which an import ends what they, or others for them, have begun to sign in with. */
export interface SignInEnds {
  /** Those that gain a capability: their links end, what links began, and what was set by a link whose maker lacks it. */
  readonly promoted: readonly string[];
  /** Those with another uid: their links, pending sign-ins and sessions end. An identity may be in both lists. */
  readonly renamed: readonly string[];
}

/** Determines for which identities an import ends sign-ins. A deleted identity has none, and a new one none yet. */
export function signInEndsOf(
  { upserts }: Pick<ImportPlan, 'upserts'>,
  { stored }: Pick<ImportBase, 'stored'>,
): SignInEnds {
  const promoted: string[] = [];
  const renamed: string[] = [];
  for (const { id, uid, capabilities } of upserts.identity) {
    const before = stored.identity.get(id);
    if (before === undefined) continue;
    if (before.uid !== uid) renamed.push(id);
    if (gainsCapability(before.capabilities, capabilities)) promoted.push(id);
  }
  return { promoted, renamed };
}
