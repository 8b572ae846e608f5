import {
  createSignInDryRun,
  type DryRunAsker,
  ok,
  type Result,
  type SignInDryRun,
  type TriedSignInChange,
} from '@access-admin/domain';
import type { SignInPopulationStore } from '@access-admin/store';
import type { Pace } from '../../event-loop/pace.ts';
import { ended } from '../../http/connection.ts';
import type { CheckedRequest, OperationResult } from '../../operations/operation.ts';
import type { AskerOf } from '../../sign-in/guard.ts';
import type { CountryOf } from '../../sign-in/origin.ts';

export interface DryRunParts {
  readonly population: SignInPopulationStore;
  readonly askerOf: AskerOf;
  readonly countryOf: CountryOf;
  readonly pace: Pace;
}

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
  request: OperationRequest,
  { store: { signInPopulation: population }, pace, ...deps }: DryRunDeps,
  { profileId, isForbidden, origin, ...change }: Tried,
): Promise<Result<OperationResult, never>> {
  const { tenant } = request.caller;
  const job = pace.begin(tenant, request.exchange.signal());
  const count = createSignInDryRun(change, askerFrom(origin, request, deps));
  let after: string | null = '';
  while (after !== null) {
    await pace.turn(job);
    const { identities, next } = await population.readPart(tenant, after);
    for (const identity of identities)
      if (profileId === null || identity.authProfile.id === profileId) count.add(identity);
    after = next;
  }
  const result: SignInDryRun = count.finish(await population.readView(tenant));
  return ok({ json: { ...result, wouldBeRefused: result.wouldBeRefused || isForbidden } });
}

/** The asker, as though it asked from there. */
function askerFrom(
  { ip, country }: DryRunOrigin,
  request: OperationRequest,
  { askerOf, countryOf }: Pick<DryRunDeps, 'askerOf' | 'countryOf'>,
): DryRunAsker {
  const asker = askerOf(request);
  const known = ip === null ? null : countryOf(ip);
  const { identityId } = request.caller;
  return { ...asker, identityId, address: ip ?? asker.address, country: country ?? known ?? asker.country };
}

/** The change of one auth profile. */
export const profileChange = (after: AuthProfile): Pick<Tried, 'profileId' | 'profileAfter'> => ({
  profileId: after.id,
  profileAfter: (profile) => (profile.id === after.id ? after : profile),
});

/** A change that concerns no auth profile by itself, by a caller that may make it. */
export const NO_PROFILE_CHANGE: Pick<Tried, 'profileId' | 'isForbidden' | 'profileAfter'> = {
  profileId: null,
  isForbidden: false,
  profileAfter: (profile) => profile,
};
