import type { RequestState } from '../http/exchange.ts';

/** What one line of the log says of a request. */
export interface RequestLine {
  readonly state: RequestState;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

/** One structured line a request, and one for each fault. */
export interface RequestLog {
  request(line: RequestLine): void;
  error(fields: object, message: string): void;
}
