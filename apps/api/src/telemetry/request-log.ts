import type { RequestState } from '../http/request-state.ts';

/** The request that a line of the log describes. */
export interface RequestLine {
  readonly state: Pick<RequestState, 'trackingId' | 'requestId' | 'operationId' | 'caller' | 'refusal'>;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
}

/** Writes one structured line for each request and each error. */
export interface RequestLog {
  request(line: RequestLine): void;
  error(fields: object, message: string): void;
}
