/** What makes a request one that every operation with a body refuses. */
export interface SpoiltBody {
  readonly headers: Readonly<Record<string, string>>;
  /** Null for a good one, whose headers are not. */
  readonly body: string | null;
}

export const SPOILT_BODIES: readonly SpoiltBody[] = [
  ...['{', '"text"', '{"a":1,"a":2}', '['.repeat(40), '\u0000', '{"unknown":"property"}'].map((body) => ({
    headers: {},
    body,
  })),
  { headers: { 'content-type': 'text/plain' }, body: null },
  { headers: { 'content-encoding': 'gzip' }, body: null },
];
