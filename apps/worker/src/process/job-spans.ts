import type { EndedJob, Tracing } from '@access-admin/telemetry';

/** One span for each check, report and round, linked to the request that made it. An attempt of a delivery has its own. */
export const createJobSpans =
  (tracing: Pick<Tracing, 'start'>) =>
  ({ kind, tenant, ids, startedMs, waitedMs, attempt, outcome, traceparent }: EndedJob): void => {
    if (kind === 'delivery') return;
    const named = Object.entries(ids).map(([name, value]) => [`access_admin.${snakeCase(name)}`, value] as const);
    tracing.start({ name: kind, kind: 'consumer', link: traceparent, startedMs }).end({
      isError: outcome === 'error' || outcome === 'retry',
      attributes: {
        'access_admin.tenant': tenant,
        ...Object.fromEntries(named),
        ...(waitedMs === null ? {} : { 'access_admin.waited_ms': waitedMs }),
        'access_admin.attempt': attempt,
        'access_admin.outcome': outcome,
      },
    });
  };

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
