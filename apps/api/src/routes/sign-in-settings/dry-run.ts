import { createSignInDryRun, type DryRunAsker, type SignInDryRun, type TriedSignInChange } from '@access-admin/domain';
import type { RequestContext } from '../../env.ts';
import { callerOf } from '../../http/caller.ts';
import { requestClosed } from '../../http/connection.ts';

/** From where the sign-ins of a dry-run come; null is for what is left out. */
export interface DryRunOrigin {
  readonly ip: string | null;
  readonly country: string | null;
}

/** A change as it is tried. */
export interface Tried extends TriedSignInChange {
  /** The id of the only auth profile that it concerns; null for a change that concerns all. */
  readonly profileId: string | null;
  /** Whether the caller may not make the change; it may still see what another one would do with it. */
  readonly isForbidden: boolean;
  readonly origin: DryRunOrigin;
}

/** Answers what a change would do, without making it. Identities are read in parts, outside of a write. */
export async function answerDryRun(
  c: RequestContext,
  { profileId, isForbidden, origin, ...change }: Tried,
): Promise<Response> {
  const { store, jobs } = c.env.services;
  const { tenant } = callerOf(c);
  const job = jobs.begin(tenant, requestClosed(c));
  const count = createSignInDryRun(change, askerFrom(c, origin));
  let after: string | null = '';
  while (after !== null) {
    await jobs.yield(job);
    const { identities, next } = await store.signInPopulation.readPart(tenant, after);
    for (const identity of identities)
      if (profileId === null || identity.authProfile.id === profileId) count.add(identity);
    after = next;
  }
  const result = count.finish(await store.signInPopulation.readView(tenant));
  return c.json({ ...result, wouldBeRefused: result.wouldBeRefused || isForbidden } satisfies SignInDryRun);
}

/** The asker, as though it asked from there. */
function askerFrom(c: RequestContext, { ip, country }: DryRunOrigin): DryRunAsker {
  const { askerOf, config } = c.env.services;
  const caller = callerOf(c);
  const asker = askerOf({ c, caller });
  const known = ip === null ? null : config.countryOf(ip);
  const address = ip ?? asker.address;
  return { ...asker, identityId: caller.identityId, address, country: country ?? known ?? asker.country };
}
