import { expect, test } from 'vitest';
import { AUTH_PROFILE_TYPES } from '../auth-profile.ts';
import { type DecidingAuthProfile, decideSignIn, type SignInFacts } from './decision.ts';
import { compileNetwork, type NetworkConfig } from './network-config.ts';

/** Facts as the contract states them, before they are prepared. */
interface Case {
  readonly active: boolean;
  readonly profile: DecidingAuthProfile | null;
  readonly lockedOut: boolean;
  readonly address: string;
  readonly country: string | null;
  readonly network: NetworkConfig;
  readonly applicationKnown: boolean;
}

const FLAGS = [false, true];
const RANGES = [null, [], ['10.0.0.0/8', '2001:db8::/32']];
const COUNTRIES = [null, [], ['CH', 'AT']];
const ADDRESSES = [
  ...['10.1.2.3', '::ffff:10.9.9.9', '2001:db8::1'].map((address) => ({ address, inside: true })),
  ...['11.1.2.3', '::1', '::ffff:11.0.0.1', 'no address'].map((address) => ({ address, inside: false })),
];
const isInside = new Map(ADDRESSES.map(({ address, inside }) => [address, inside]));

/** The rules of the contract, sentence by sentence. */
function expected({ profile, active, lockedOut, address, country, network, applicationKnown }: Case) {
  const applying: string[] = [];
  const tell = (reason: string, applies: boolean | undefined) => {
    if (applies) applying.push(reason);
  };
  const noRanges = network.range === null || network.range.length === 0;
  const countries = network.geolocation ?? [];
  tell('NO_AUTH_PROFILE', profile === null);
  tell('PROFILE_BLOCKED', profile?.type === 'BLOCK');
  tell('INACTIVE', !active);
  tell('LOCKED_OUT', lockedOut);
  tell('OFF_NETWORK', profile?.offNetwork && !noRanges && !isInside.get(address));
  const isListed = country !== null && countries.includes(country);
  const isForeign = country === null || (network.whitelisted && !isListed) || (!network.whitelisted && isListed);
  tell('UNTRUSTED_GEOGRAPHY', profile?.untrustedGeography && countries.length > 0 && isForeign);
  tell('SECOND_FACTOR_REQUIRED', profile?.type === 'MFA' || profile?.strongAuthLogin);
  const isOffWithoutRanges = profile?.offNetwork && noRanges;
  tell('NOT_CONFIGURED', isOffWithoutRanges || (profile?.untrustedGeography && countries.length === 0));
  tell('APPLICATION_UNKNOWN', profile?.type === 'PTA' && !applicationKnown);
  const blocks = applying.some((reason) => !['SECOND_FACTOR_REQUIRED', 'NOT_CONFIGURED'].includes(reason));
  const asksMore = applying.includes('SECOND_FACTOR_REQUIRED');
  const type = profile?.type;
  return {
    decision: blocks ? 'BLOCK' : asksMore ? 'SECOND_FACTOR' : 'ALLOW',
    reasons: applying,
    authProfile: profile === null ? null : { id: profile.id, name: profile.name, type },
    verifiedBy: type === 'PTA' ? 'APPLICATION' : type === 'MFA' || type === 'NON_PTA' ? 'PASSWORD' : null,
  };
}

function* profiles(): Generator<DecidingAuthProfile | null> {
  yield null;
  for (const type of AUTH_PROFILE_TYPES)
    for (const offNetwork of FLAGS)
      for (const untrustedGeography of FLAGS)
        for (const strongAuthLogin of FLAGS)
          yield { id: 'ip-1', name: 'P', type, offNetwork, untrustedGeography, applicationId: 'a', strongAuthLogin };
}

function* networks(): Generator<NetworkConfig> {
  for (const range of RANGES)
    for (const geolocation of COUNTRIES) for (const whitelisted of FLAGS) yield { range, geolocation, whitelisted };
}

function* cases(): Generator<Case> {
  for (const profile of profiles())
    for (const network of networks())
      for (const { address } of ADDRESSES)
        for (const country of [null, 'CH', 'US'])
          for (const lockedOut of FLAGS)
            for (const applicationKnown of FLAGS)
              for (const active of FLAGS)
                yield { profile, active, lockedOut, address, country, network, applicationKnown };
}

const factsOf = ({ profile, network, ...rest }: Case): SignInFacts => ({
  ...rest,
  authProfile: profile,
  network: compileNetwork(network),
});

test('every combination of the facts is decided as the contract says', () => {
  const wrong: unknown[] = [];
  let decided = 0;
  for (const given of cases()) {
    decided += 1;
    const decision = decideSignIn(factsOf(given));
    const right = expected(given);
    if (JSON.stringify(decision) !== JSON.stringify(right)) wrong.push({ given, decision, right });
    if (wrong.length === 3) break;
  }
  expect(wrong).toEqual([]);
  expect(decided).toBe(33 * 18 * 7 * 3 * 8);
});
