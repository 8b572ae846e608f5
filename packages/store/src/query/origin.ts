/** The request that made a piece of work, for the log and the trace of the work. */
export interface RequestOrigin {
  readonly clientId: string;
  readonly trackingId: string;
  /** The span of the request, as W3C Trace Context writes it; null where it was not traced. */
  readonly traceparent: string | null;
}

/** JSON: `[clientId, trackingId]` or `[clientId, trackingId, traceparent]`. */
export const originToColumn = (origin: RequestOrigin | null | undefined): string | null =>
  origin === null || origin === undefined
    ? null
    : JSON.stringify([origin.clientId, origin.trackingId, origin.traceparent ?? []].flat());

export function columnToOrigin(column: string | null): RequestOrigin | null {
  if (column === null) return null;
  const [clientId, trackingId, traceparent = null] = JSON.parse(column);
  return { clientId, trackingId, traceparent };
}
