import type { AccessAdminClient, SignInDecision } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** Why a link would let a person in nowhere. */
export type LinkRefusal = 'no-profile' | 'blocked' | 'inactive' | 'application-unknown' | 'application';

/**
 * Why a link is of no use for a person, whatever the address that it is used at; null where it is. Who is verified by an
 * application has nothing to set up, but for a second factor of this service.
 */
export function linkRefusalOf({ decision, reasons, verifiedBy }: SignInDecision): LinkRefusal | null {
  if (reasons.includes('NO_AUTH_PROFILE')) return 'no-profile';
  if (reasons.includes('PROFILE_BLOCKED')) return 'blocked';
  if (reasons.includes('INACTIVE')) return 'inactive';
  if (reasons.includes('APPLICATION_UNKNOWN')) return 'application-unknown';
  return verifiedBy === 'APPLICATION' && !reasons.includes('SECOND_FACTOR_REQUIRED') && decision !== 'SECOND_FACTOR'
    ? 'application'
    : null;
}

/** What a sign-in of a person would do; the address is that of no network, since only what holds everywhere counts here. */
export const linkDecisionQuery = (api: AccessAdminClient, identityId: string) =>
  queryOptions({
    queryKey: ['people', 'link-decision', identityId],
    queryFn: ({ signal }) => api.signIn.decide({ identityId, ip: '127.0.0.1' }, { signal }),
  });
