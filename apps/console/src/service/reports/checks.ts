import { type AccessAdminClient, filter, type ListedSodCheck, type SodCheck } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** How soon a check that is pending is read again; an event tells of its end. */
const PENDING_AGAIN_MS = 1_000;

/** One check. */
export const checkQuery = (api: AccessAdminClient, requestId: string) =>
  queryOptions({
    queryKey: ['checks', 'one', requestId],
    queryFn: ({ signal }): Promise<SodCheck> => api.sodViolations.getCheck(requestId, { signal }),
    refetchInterval: ({ state: { data } }) => data?.completed === null && PENDING_AGAIN_MS,
  });

/** A check with the name of its person, or the id where the person has no name or is gone. */
export interface NamedCheck extends ListedSodCheck {
  readonly person: string;
}

/** How many checks are listed. */
export const LISTED_MAX = 20;
// Events tell of the end of a check, not of its start.
const LIST_AGAIN_MS = 10_000;

/** The latest checks, the newest first. */
export const checksQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['checks', 'list'],
    queryFn: async ({ signal }): Promise<readonly NamedCheck[]> => {
      const { items } = await api.sodViolations.pageChecks({ limit: LISTED_MAX, signal });
      const ids = [...new Set(items.map(({ identityId }) => identityId))];
      if (ids.length === 0) return [];
      const people = await api.identities.page({ filters: filter`id in ${ids}`, limit: LISTED_MAX, signal });
      const names = new Map(people.items.map(({ id, displayName }) => [id, displayName]));
      return items.map((check) => ({ ...check, person: names.get(check.identityId) ?? check.identityId }));
    },
    refetchInterval: LIST_AGAIN_MS,
  });
