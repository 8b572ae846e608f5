import {
  type AuthProfile,
  createSignInDryRun,
  type DryRunAsker,
  type Failure,
  fail,
  failure,
  isCountry,
  ok,
  parseAddress,
  type Result,
  type SignInDryRun,
  type TriedSignInChange,
} from '@access-admin/domain';
import type { Store } from '@access-admin/store';
import type { Pace } from '../../event-loop/pace.ts';
import type { OperationRequest, OperationResult } from '../../operations/request.ts';
import type { AskerOf } from '../../sign-in/guard.ts';
import type { CountryOf } from '../../sign-in/origin.ts';
import { queryOf } from '../answers/list.ts';
import { onceOf } from '../answers/once-of.ts';

export interface DryRunDeps {
  readonly store: Pick<Store, 'signInPopulation'>;
  readonly askerOf: AskerOf;
  readonly countryOf: CountryOf;
  readonly pace: Pace;
}

/** From where the sign-ins of a dry-run come; null is for what is left out. */
export interface DryRunOrigin {
  readonly ip: string | null;
  readonly country: string | null;
}

/** Parses `dryRun`, `ip` and `country`; null for a change that is to be made. */
export function parseDryRun(request: OperationRequest): Result<DryRunOrigin | null, Failure> {
  const query = queryOf(request);
  const dryRun = onceOf(query, 'dryRun');
  if (!dryRun.ok) return dryRun;
  if (dryRun.value === null || dryRun.value === 'false') return ok(null);
  if (dryRun.value !== 'true') return illegal('dryRun', 'must be true or false');
  const ip = onceOf(query, 'ip');
  if (!ip.ok) return ip;
  if (ip.value !== null && parseAddress(ip.value) === null) return illegal('ip', 'must be an IPv4 or IPv6 address');
  const country = onceOf(query, 'country');
  if (!country.ok) return country;
  if (country.value !== null && !isCountry(country.value))
    return illegal('country', 'must be a country as two capital letters, such as CH');
  return ok({ ip: ip.value, country: country.value });
}

const illegal = (at: string, rule: string) => fail(failure('IllegalValue', at, rule));

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
