import type {
  Basis,
  BatchResult,
  IdentityWithNewAccess,
  ListedSodCheck,
  SodCheck,
  SodInclude,
  SodViolationCheck,
  ViolationPrediction,
} from '@access-admin/contract';
import { type CursorOptions, type CursorPage, iteratePages, readCursorPage } from '../http/cursor-list.ts';
import { jsonBody } from '../http/json-body.ts';
import { formatNdjson, parseNdjson } from '../http/ndjson.ts';
import type { Runtime } from '../http/runtime.ts';
import type { ApiRequest, CallOptions, Transport } from '../http/transport.ts';
import { resourcePath } from '../http/url.ts';
import { type FinishedSodCheck, type WaitOptions, waitForCheck } from './wait-for-check.ts';

/** An identity and the access items that it would be granted: 500 at most. */
export interface NewAccess extends Omit<IdentityWithNewAccess, 'clientMetadata'> {
  /** Stored and returned by the check: at most 50 keys of 64 characters with values of 512 characters. */
  readonly clientMetadata?: Readonly<Record<string, string>>;
}

const NDJSON = 'application/x-ndjson';

/** Optional parts of the response, or of the result of a check. */
export interface IncludeOptions extends CallOptions {
  /**
   * With `via` each item has the paths by which it is held or requested (`via`, `viaMore`), and each context the advice
   * of its policy. With `remediation` the response has the items to drop or revoke instead. With `pending` live reservations count
   * as requested before. None if left out.
   */
  readonly include?: readonly SodInclude[] | undefined;
}

/** Options of the read of a check. */
export interface GetCheckOptions extends CallOptions {
  /** How long the service holds the response until the check is done: 0 to 30, added to the time limit. */
  readonly waitSeconds?: number | undefined;
}

/** Which checks to list. */
export interface CheckListOptions extends CallOptions {
  /** Such as `state in ("PENDING", "ERROR") and identityId eq "i-1"`, best written with `filter`; all if left out. */
  readonly filters?: string | undefined;
}

/** Which page of checks to read. */
export interface CheckPageOptions extends CheckListOptions, CursorOptions {}

/** Predictions and checks of the violations that access would cause. */
export interface SodViolations {
  /** Predicts the violations that the access would cause (start-predict-sod-violations-v1). */
  predict(access: NewAccess, options?: IncludeOptions): Promise<ViolationPrediction & Basis>;
  /**
   * Predicts for up to 1,000 requests in one call, in their order (start-predict-sod-violations-batch-v1). Each result has the
   * status and the body of a single prediction.
   */
  predictBatch(requests: Iterable<NewAccess>, options?: IncludeOptions): AsyncIterable<BatchResult>;
  /**
   * Starts a check (start-violation-check-v1); `waitForCheck` resolves with its result. Carries an idempotency key, so that
   * repeats of the request start one check only.
   */
  check(access: NewAccess, options?: IncludeOptions): Promise<SodViolationCheck>;
  /** Iterates over the checks that meet the filters, the newest first, without their results (list-violation-checks-v1). */
  listChecks(options?: CheckListOptions): AsyncIterable<ListedSodCheck>;
  /** Reads one page of the list. */
  pageChecks(options?: CheckPageOptions): Promise<CursorPage<ListedSodCheck>>;
  /** Reads a check in any state. */
  getCheck(requestId: string, options?: GetCheckOptions): Promise<SodCheck>;
  /**
   * Reads the signed receipt of a check that has a verdict (get-violation-check-receipt-v1): a compact JWS, which
   * `verifyReceipt` verifies. A `ConflictError` while the check is pending, or where it ended in `ERROR`.
   */
  receipt(requestId: string, options?: CallOptions): Promise<string>;
  /** Resolves once the check is done; rejects with a `TimeoutError` if that takes too long. */
  waitForCheck(requestId: string, options?: WaitOptions): Promise<FinishedSodCheck>;
}

const queryOf = (options: IncludeOptions | undefined) => ({
  include: options?.include?.length ? options.include.join(',') : undefined,
});

/** Builds the operations on separation-of-duties violations. */
export function createSodViolations(transport: Transport, timeoutMs: number, runtime: Runtime): SodViolations {
  const post = (path: string, access: NewAccess, options: IncludeOptions | undefined): ApiRequest => ({
    method: 'POST',
    path: `/sod-violations/v1/${path}`,
    query: queryOf(options),
    body: jsonBody(access),
    options,
  });
  const getCheck: SodViolations['getCheck'] = async (requestId, options) => {
    const { waitSeconds = 0 } = options ?? {};
    const request: ApiRequest = {
      method: 'GET',
      path: resourcePath('/sod-violations/v1/check', requestId),
      ...(waitSeconds > 0 ? { headers: { prefer: `wait=${waitSeconds}` } } : {}),
      options: { ...options, timeoutMs: (options?.timeoutMs ?? timeoutMs) + waitSeconds * 1000 },
    };
    return (await transport.call<SodCheck>(request)).value;
  };
  const pageChecks: SodViolations['pageChecks'] = async (options) => {
    const request = { path: '/sod-violations/v1/checks', query: { filters: options?.filters } };
    return (await readCursorPage<ListedSodCheck>(transport, request, options)).page;
  };
  return {
    async predict(access, options) {
      const request = { ...post('predict', access, options), repeatable: true };
      return (await transport.call<ViolationPrediction & Basis>(request)).value;
    },
    async *predictBatch(requests, options) {
      yield* parseNdjson<BatchResult>(
        transport.stream({
          method: 'POST',
          path: '/sod-violations/v1/predict/batch',
          query: queryOf(options),
          headers: { accept: NDJSON },
          body: { type: NDJSON, text: await formatNdjson(requests) },
          repeatable: true,
          options,
        }),
      );
    },
    async check(access, options) {
      const headers = { 'idempotency-key': createIdempotencyKey(runtime) };
      const request = { ...post('check', access, options), headers, repeatable: true };
      return (await transport.call<SodViolationCheck>(request)).value;
    },
    listChecks: (options) => iteratePages((part) => pageChecks({ ...options, ...part })),
    pageChecks,
    getCheck,
    receipt: async (requestId, options) =>
      transport.text({
        method: 'GET',
        path: `${resourcePath('/sod-violations/v1/check', requestId)}/receipt`,
        headers: { accept: 'application/jose' },
        options,
      }),
    waitForCheck: (requestId, options) => {
      const read = (waitSeconds: number, signal: AbortSignal) => getCheck(requestId, { waitSeconds, signal });
      return waitForCheck(requestId, { getCheck: read, runtime }, options);
    },
  };
}

/**
 * A key that this client has not used before. Not all runtimes have `crypto`, and requests that differ never share a
 * check.
 */
const createIdempotencyKey = ({ now, random }: Runtime): string =>
  [now(), ...[1, 2, 3].map(() => Math.floor(random() * 2 ** 32))].map((part) => part.toString(36)).join('-');
