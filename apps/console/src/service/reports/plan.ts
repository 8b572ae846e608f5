import {
  type AccessAdminClient,
  type FixStep,
  filter,
  type SodReport,
  type SodViolation,
  type UnsolvableViolation,
} from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';
import { partsOfIds } from '../id-parts.ts';
import { PRESENT } from '../people/conflicts.ts';
import { LEVELS } from '../policy/terms.ts';
import type { Columns } from './file.ts';
import type { ReportSearch } from './search.ts';

// A plan that is done never changes, but for steps that are handed over, of which there is an event.
const NEVER_STALE = { staleTime: Number.POSITIVE_INFINITY };

/** The steps of a fix plan. */
export const stepsQuery = (api: AccessAdminClient, reportId: string) =>
  queryOptions({
    ...NEVER_STALE,
    queryKey: ['report-lines', reportId, 'steps'],
    queryFn: ({ signal }): Promise<readonly FixStep[]> => Array.fromAsync(api.sodReports.steps(reportId, { signal })),
  });

/** The violations that a fix plan leaves. */
export const unsolvableQuery = (api: AccessAdminClient, reportId: string) =>
  queryOptions({
    ...NEVER_STALE,
    queryKey: ['report-lines', reportId, 'unsolvable'],
    queryFn: ({ signal }): Promise<readonly UnsolvableViolation[]> =>
      Array.fromAsync(api.sodReports.unsolvable(reportId, { signal })),
  });

/** Which steps are sought: all where nothing is named. */
interface SoughtSteps {
  /** Those that end a violation of this level. */
  readonly level?: ReportSearch['level'] | undefined;
  readonly person?: string | undefined;
}

/** The steps that meet a search. */
export const filterSteps = (steps: readonly FixStep[], { level, person }: SoughtSteps): readonly FixStep[] =>
  steps.filter(
    ({ identityId, ends }) =>
      (person === undefined || identityId === person) &&
      (level === undefined || ends.some((each) => each.level === level)),
  );

/** The highest level of the violations that a step ends. */
export const levelOf = ({ ends }: Pick<FixStep, 'ends'>) =>
  LEVELS.find((level) => ends.some((each) => each.level === level)) ?? null;

/** What the register has of the violations that a step ends. */
export interface StepState {
  /** `LATE` where the register lacks changes that were made before it was read, so that it cannot tell. */
  readonly state: 'GONE' | 'PRESENT' | 'LATE';
  /** Those that are present. */
  readonly left: readonly SodViolation[];
  /** The moment up to which the register is complete; null before it is filled for the first time. */
  readonly asOf: string | null;
}

/** The present violations of a step, as the register has them at a moment. */
interface Read {
  readonly left: readonly SodViolation[];
  readonly asOf: string | null;
  /** When the service answered, by its clock; null where it does not tell. */
  readonly answeredMs: number | null;
}

// The service takes a change of one person in within a second, and tells when it answers in whole seconds.
const LATE_MS = 2_000;

/** Judges a step by the register: what it still shows may have been revoked since its moment. */
export function judgeStep({ left, asOf, answeredMs }: Read, plannedAt: string | null): StepState {
  if (asOf === null || (plannedAt !== null && asOf < plannedAt)) return { state: 'LATE', left, asOf };
  if (left.length === 0) return { state: 'GONE', left, asOf };
  const isLate = answeredMs !== null && Date.parse(asOf) < answeredMs - LATE_MS;
  return { state: isLate ? 'LATE' : 'PRESENT', left, asOf };
}

// No event tells that the register is up to date.
const LATE_AGAIN_MS = 2_000;

/** Whether the violations that a step ends are gone. */
export const stepStateQuery = (
  api: AccessAdminClient,
  { reportId, asOf }: Pick<SodReport, 'reportId' | 'asOf'>,
  step: FixStep,
) =>
  queryOptions({
    queryKey: ['violations', 'step', reportId, step.step],
    queryFn: async ({ signal }) => judgeStep(await readStep(api, step, signal), asOf),
    refetchInterval: ({ state: { data } }) => data?.state === 'LATE' && LATE_AGAIN_MS,
  });

/** Reads the present violations that a step ends. */
export async function readStep(
  { call }: Pick<AccessAdminClient, 'call'>,
  { identityId, ends }: Pick<FixStep, 'identityId' | 'ends'>,
  signal?: AbortSignal,
): Promise<Read> {
  const parts = partsOfIds(ends.map(({ policyId }) => policyId));
  const reads = await Promise.all(
    parts.map((ids) => {
      const filters = filter`targetId eq ${identityId} and policyId in ${ids} and status in ${PRESENT}`;
      // By `call`, which has the headers: the moment of the register is compared with the clock of the service.
      return call<readonly SodViolation[]>({
        method: 'GET',
        path: '/violations/v1',
        query: { filters, limit: PAGE },
        ...(signal !== undefined && { signal }),
      });
    }),
  );
  // ISO 8601 in UTC: the earliest is the first.
  const moments = reads.map(({ headers }) => headers.get('x-as-of'));
  const answers = reads.map(({ headers }) => Date.parse(headers.get('date') ?? '')).filter((each) => each > 0);
  return {
    left: reads.flatMap(({ value }) => value),
    asOf: moments.includes(null) ? null : (moments.toSorted()[0] ?? null),
    answeredMs: answers.length === 0 ? null : Math.min(...answers),
  };
}

/** The most that a list has at once: a person violates a policy once. */
const PAGE = 250;

/** The columns of a file of the steps: those that the command writes, and when each step was handed over. */
export const STEP_COLUMNS: Columns<FixStep> = {
  step: ({ step }) => String(step),
  identity: ({ identityId }) => identityId,
  name: ({ displayName }) => displayName,
  type: ({ revoke }) => revoke.type,
  revoke: ({ revoke }) => revoke.id,
  revoked: ({ revoke }) => revoke.name,
  ends: ({ ends }) => ends.map(({ policyId }) => policyId).join(' '),
  'also loses': ({ alsoLoses }) => alsoLoses.map(({ id }) => id).join(' '),
  sources: ({ revoke }) => revoke.sources?.join(' '),
  'handed over': ({ handedOver }) => handedOver,
};

/** The columns of a file of the violations that stay. */
export const UNSOLVABLE_COLUMNS: Columns<UnsolvableViolation> = {
  identity: ({ identityId }) => identityId,
  name: ({ displayName }) => displayName,
  policy: ({ policyId }) => policyId,
  policyName: ({ policyName }) => policyName,
  level: ({ level }) => level,
  reason: ({ reason }) => reason,
};
