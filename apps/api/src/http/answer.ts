import type { ApiFailure } from './problem.ts';

/** What a handler answers: a response, or a failure, which `route` answers as a problem. */
export type Answer = Response | { readonly ok: false; readonly failure: ApiFailure };
