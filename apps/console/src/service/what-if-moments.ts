import type { AccessAdminClient } from '@access-admin/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readNowMs } from './clock.ts';
import { periodOf, requestOf, type WhatIfSearch } from './what-if-search.ts';

/** The most parts of a period that are asked about. */
const PARTS_MAX = 64;

interface Window {
  readonly start?: string | null;
  readonly end?: string | null;
}

/** A part of a period in which what a person holds does not change. */
export interface Part {
  readonly start: string;
  /** Null for one without an end. */
  readonly end: string | null;
}

/** A part of a period, and the policies that the access would violate in it. */
export interface Moment extends Part {
  readonly policies: readonly { readonly id: string; readonly name: string }[];
}

/** The parts of a period between which held access begins or ends, from now on. */
export function partsOf({ start, end }: Window, held: readonly Window[], nowMs: number): readonly Part[] {
  const first = Math.max(nowMs, start == null ? nowMs : Date.parse(start));
  const last = end == null ? Number.POSITIVE_INFINITY : Date.parse(end);
  const borders = held
    .flatMap((window) => [window.start, window.end])
    .filter((instant) => instant != null)
    .map((instant) => Date.parse(instant))
    .filter((instant) => instant > first && instant < last);
  const starts = [...new Set([first, ...borders])].toSorted((one, other) => one - other).slice(0, PARTS_MAX);
  if (first >= last) return [];
  return starts.map((at, place) => ({
    start: new Date(at).toISOString(),
    end: instantOf(starts[place + 1] ?? last),
  }));
}

const instantOf = (ms: number): string | null => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);

/** Joins parts that follow each other and violate the same policies. */
export function joinMoments(moments: readonly Moment[]): readonly Moment[] {
  const joined: Moment[] = [];
  for (const moment of moments) {
    const before = joined.at(-1);
    if (before !== undefined && idsOf(before) === idsOf(moment))
      joined[joined.length - 1] = { ...before, end: moment.end };
    else joined.push(moment);
  }
  return joined;
}

const idsOf = ({ policies }: Moment): string => JSON.stringify(policies.map(({ id }) => id));

/** What a grant would violate at which times of its period. */
export const momentsQuery = (api: AccessAdminClient, search: WhatIfSearch) => {
  const request = requestOf(search);
  return queryOptions({
    queryKey: ['policies', 'moments', request],
    enabled: request.identityId !== '' && request.accessRefs.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<readonly Moment[]> => {
      const { assignments } = await api.identities.get(request.identityId, { signal });
      const parts = partsOf(periodOf(search), assignments, readNowMs());
      const requests = parts.map(({ start }) => ({ ...request, at: start }));
      const answers = await Array.fromAsync(api.sodViolations.predictBatch(requests, { include: ['pending'], signal }));
      return joinMoments(
        parts.map((part, at) => {
          const answer = answers[at];
          if (answer === undefined || !('violationContexts' in answer.body))
            throw new Error(`part ${at} of the period has no answer`);
          return { ...part, policies: answer.body.violationContexts.map(({ policy: { id, name } }) => ({ id, name })) };
        }),
      );
    },
  });
};
