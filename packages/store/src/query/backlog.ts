/** What waits in a queue, over all tenants. */
export interface Backlog {
  readonly depth: number;
  /** Since when the oldest of it has waited, in ISO 8601; null where nothing waits. */
  readonly oldest: string | null;
}

/** The backlog of a row of counts; an engine gives a sum as text, and none as null. */
export const toBacklog = ({ depth, oldest }: BacklogRow): Backlog => ({ depth: Number(depth ?? 0), oldest });

export interface BacklogRow {
  readonly depth: number | string | null;
  readonly oldest: string | null;
}

/** The backlog of several queues together. */
export const sumOfBacklogs = (backlogs: readonly Backlog[]): Backlog => ({
  depth: backlogs.reduce((sum, { depth }) => sum + depth, 0),
  oldest: backlogs.flatMap(({ oldest }) => oldest ?? []).sort()[0] ?? null,
});
