import type { AccessAdminClient, SourceLoad } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** More than the service keeps of a source. */
const LOADS_MAX = 250;

// No event tells how far a load is.
const LOOK_MS = 1_000;
/** A load that takes parts goes on when its sender commits it. */
const LOOK_OPEN_MS = 5_000;

/** The loads of a source, the latest first. */
export const loadsQuery = (api: AccessAdminClient, source: string) =>
  queryOptions({
    queryKey: ['loads', 'of', source],
    queryFn: async ({ signal }) => (await api.sourceLoads.page(source, { limit: LOADS_MAX, signal })).items,
    refetchInterval: ({ state: { data } }) => lookEvery(data),
  });

/** The latest load of a source; null for none. */
export const latestLoadQuery = (api: AccessAdminClient, source: string) =>
  queryOptions({
    queryKey: ['loads', 'latest', source],
    queryFn: async ({ signal }) => (await api.sourceLoads.page(source, { limit: 1, signal })).items[0] ?? null,
    refetchInterval: ({ state: { data } }) => lookEvery(data == null ? [] : [data]),
  });

/** One load. */
export const loadQuery = (api: AccessAdminClient, source: string, loadId: string) =>
  queryOptions({
    queryKey: ['loads', 'one', source, loadId],
    queryFn: ({ signal }) => api.sourceLoads.get(source, loadId, { signal }),
    refetchInterval: ({ state: { data } }) => lookEvery(data === undefined ? [] : [data]),
  });

/** How often loads are read again, in milliseconds; false where none of them is under way. */
function lookEvery(loads: readonly SourceLoad[] = []): number | false {
  if (loads.some(({ state }) => state === 'RUNNING')) return LOOK_MS;
  return loads.some(({ state }) => state === 'OPEN') && LOOK_OPEN_MS;
}

/** Whether a load was refused for what it deletes, and can be confirmed. */
export const isToConfirm = ({ state, expires }: Pick<SourceLoad, 'state' | 'expires'>): boolean =>
  state === 'REFUSED' && expires !== null;
