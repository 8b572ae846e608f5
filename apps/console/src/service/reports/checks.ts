import { type AccessAdminClient, filter, type ListedSodCheck, type SodCheck } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';
import { partsOfIds } from '../id-parts.ts';
import { nameOf } from '../name-of.ts';

/** How soon a check that is pending is read again; an event tells of its end. */
const PENDING_AGAIN_MS = 1_000;

/** One check. */
export const checkQuery = (api: AccessAdminClient, requestId: string) =>
  queryOptions({
    queryKey: ['checks', 'one', requestId],
    queryFn: ({ signal }): Promise<SodCheck> => api.sodViolations.getCheck(requestId, { signal }),
    refetchInterval: ({ state: { data } }) => data?.completed === null && PENDING_AGAIN_MS,
  });

/** A check with the name of its person, or the id where the person has no name or is gone, or the name cannot be read. */
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
      const names = await readNames(
        api,
        items.map(({ identityId }) => identityId),
        signal,
      );
      return items.map((check) => ({ ...check, person: nameOf(check.identityId, names.get(check.identityId)) }));
    },
    refetchInterval: LIST_AGAIN_MS,
  });

/** The names of people by their ids; none where they cannot be read, since the checks are there all the same. */
async function readNames(
  { identities }: AccessAdminClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string | null>> {
  const pages = await Promise.allSettled(
    partsOfIds(ids).map((part) => identities.page({ filters: filter`id in ${part}`, limit: part.length, signal })),
  );
  const people = pages.flatMap((page) => (page.status === 'fulfilled' ? page.value.items : []));
  return new Map(people.map(({ id, displayName }) => [id, displayName]));
}
