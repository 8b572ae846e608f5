import {
  type AccessAdminClient,
  type ExceptionDecision,
  filter,
  type SodException,
  type SodPolicy,
  type SodViolation,
} from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';
import { readNowMs } from '../clock.ts';
import { compareTexts } from '../compare-texts.ts';
import { partsOfIds } from '../id-parts.ts';
import { nameOf } from '../name-of.ts';
import { type ExceptionChoice, exceptionFiltersOf } from './search.ts';

/** As many exceptions as a page shows; a filter finds the others. */
const SHOWN_MAX = 250;
/** As many exceptions as are put in order. The service lists them by their ids. */
const ORDERED_MAX = 5000;

/** The counts beside the names of the lists. */
export const exceptionCountQuery = (api: AccessAdminClient, search: ExceptionChoice) =>
  queryOptions({
    queryKey: ['exceptions', 'count', search],
    queryFn: async ({ signal }) => {
      const filters = exceptionFiltersOf(search, readNowMs());
      return (await api.sodExceptions.page({ filters, limit: 1, count: true, signal })).total ?? 0;
    },
  });

/** An exception with the names of what it is about. What is gone has its id as its name. */
export interface NamedException extends SodException {
  readonly person: string;
  readonly requester: string;
  readonly approver: string | null;
  readonly policyName: string;
  readonly level: SodPolicy['level'] | null;
}

/** The exceptions of a search with the number of all. */
export const exceptionsQuery = (api: AccessAdminClient, search: ExceptionChoice) =>
  queryOptions({
    queryKey: ['exceptions', 'list', search],
    queryFn: async ({ signal }) => {
      const filters = exceptionFiltersOf(search, readNowMs());
      const found: SodException[] = [];
      for await (const exception of api.sodExceptions.list({ filters, signal }))
        if (found.push(exception) === ORDERED_MAX) break;
      const shown = found.toSorted(orderOf(search)).slice(0, SHOWN_MAX);
      return { items: await nameAll(api, shown, signal), total: found.length };
    },
  });

/** All exceptions of a person, the newest first. */
export const exceptionsOfPersonQuery = (api: AccessAdminClient, identityId: string) =>
  queryOptions({
    queryKey: ['exceptions', 'of-person', identityId],
    queryFn: async ({ signal }) => {
      const { items } = await api.sodExceptions.page({ filters: filter`identityId eq ${identityId}`, signal });
      return (await nameAll(api, items, signal)).toSorted((one, other) => compareTexts(other.created, one.created));
    },
  });

/** An exception with the version that an approval of it names. Whatever changes its terms changes violations too. */
export const seenExceptionQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['violations', 'seen-exception', id],
    queryFn: ({ signal }) => api.sodExceptions.get(id, { signal }).withETag(),
  });

/** The present violation of a policy by a person; null where there is none. */
export const conflictQuery = (api: AccessAdminClient, { policyId, identityId }: SodException) =>
  queryOptions({
    queryKey: ['violations', 'of-exception', policyId, identityId],
    queryFn: async ({ signal }) => {
      const filters = filter`policyId eq ${policyId} and targetId eq ${identityId} and status in ${PRESENT}`;
      return (await api.violations.page({ filters, limit: 1, signal })).items[0] ?? null;
    },
  });

/** The exception of the policy and the person of a violation that waits for an approval or is approved; null without one. */
export const liveExceptionQuery = (api: AccessAdminClient, { policy, target }: SodViolation) =>
  queryOptions({
    queryKey: ['exceptions', 'live', policy.id, target.id],
    queryFn: async ({ signal }) => {
      const filters = filter`policyId eq ${policy.id} and identityId eq ${target.id} and state in ${LIVE}`;
      return (await api.sodExceptions.page({ filters, limit: 1, signal })).items[0] ?? null;
    },
  });

const LIVE = ['REQUESTED', 'APPROVED'];
const PRESENT = ['Open', 'Mitigated'];

/** Exceptions with the names of what they are about. */
export async function nameAll(
  api: AccessAdminClient,
  exceptions: readonly SodException[],
  signal: AbortSignal,
): Promise<readonly NamedException[]> {
  const people = exceptions.flatMap(({ identityId, requesterId }) => [identityId, requesterId]);
  const [names, policies] = await Promise.all([
    findAll(people, async (part) => (await api.identities.page({ ...part, signal })).items),
    findAll(
      exceptions.map(({ policyId }) => policyId),
      async (part) => (await api.sodPolicies.page({ ...part, signal })).items,
    ),
  ]);
  const named = (id: string) => nameOf(id, names.get(id)?.displayName);
  return exceptions.map((exception) => ({
    ...exception,
    person: named(exception.identityId),
    requester: named(exception.requesterId),
    approver: decisionOf(exception, 'APPROVED')?.by.displayName ?? exception.approverId,
    policyName: policies.get(exception.policyId)?.name ?? exception.policyId,
    level: policies.get(exception.policyId)?.level ?? null,
  }));
}

/** Records by their id. */
async function findAll<T extends { readonly id: string }>(
  ids: readonly string[],
  read: (part: { readonly filters: string; readonly limit: number }) => Promise<readonly T[]>,
): Promise<ReadonlyMap<string, T>> {
  const parts = partsOfIds(ids).map((part) => read({ filters: filter`id in ${part}`, limit: part.length }));
  const found = await Promise.all(parts);
  return new Map(found.flat().map((record) => [record.id, record]));
}

/** What waits for longest comes first, as does what ends first; of ended ones what ended last. */
function orderOf({ state = 'REQUESTED' }: ExceptionChoice): (one: SodException, other: SodException) => number {
  if (state === 'REQUESTED') return (one, other) => compareTexts(one.created, other.created);
  if (state === 'APPROVED') return (one, other) => compareTexts(one.end, other.end);
  return (one, other) => compareTexts(endOf(other), endOf(one));
}

/** A decision on an exception; undefined where there is none of this kind. */
export const decisionOf = ({ decisions }: SodException, ...actions: readonly ExceptionDecision['action'][]) =>
  decisions.find(({ action }) => actions.includes(action));

/** When an exception ended. */
export const endOf = ({ revoked, voided, end }: SodException): string => revoked ?? voided ?? end;
