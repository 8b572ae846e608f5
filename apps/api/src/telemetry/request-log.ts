import type { Refusal, RequestState } from '../http/env.ts';

/** The request that a line of the log describes. */
export interface RequestLine {
  readonly state: RequestState;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
  /** Null for a response that is no refusal, or one without a body. */
  readonly refusal: Refusal | null;
}

/** Writes one structured line for each request and each error. */
export interface RequestLog {
  request(line: RequestLine): void;
  error(fields: object, message: string): void;
}
