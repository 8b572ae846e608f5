import type {
  Basis,
  BatchResult,
  IdentityWithNewAccess,
  SodCheck,
  SodInclude,
  SodViolationCheck,
  ViolationPrediction,
} from '@access-admin/contract';
import { formatNdjson, parseNdjson } from '../http/ndjson.ts';
import { resourcePath } from '../http/resource.ts';
import type { Runtime } from '../http/runtime.ts';
import type { ApiRequest, CallOptions, Transport } from '../http/transport.ts';
import { type FinishedSodCheck, type WaitOptions, waitForCheck } from './wait-for-check.ts';

/** An identity and the access items that it would be granted: 500 at most. */
export interface NewAccess extends Omit<IdentityWithNewAccess, 'clientMetadata'> {
  /** Kept and returned by the check: at most 50 keys of 64, values of 512 characters. */
  readonly clientMetadata?: Readonly<Record<string, string>>;
}

const NDJSON = 'application/x-ndjson';

/** What the answer, or the result of the check, has besides. */
export interface IncludeOptions extends CallOptions {
  /** With `via` each item says by which paths it is held or requested (`via`, `viaMore`), and each context what its policy advises. With `remediation` the answer says what to drop or revoke instead. Nothing if left out. */
  readonly include?: readonly SodInclude[] | undefined;
}

/** How long a read of a check may be held until the check is done. */
export interface GetCheckOptions extends CallOptions {
  /** 0 to 30; comes on top of the time limit. */
  readonly waitSeconds?: number | undefined;
}

/** Would this access put this identity in violation of a separation-of-duties policy? */
export interface SodViolations {
  /** Answers at once which violations the access would cause (start-predict-sod-violations-v1). */
  predict(access: NewAccess, options?: IncludeOptions): Promise<ViolationPrediction & Basis>;
  /**
   * Answers up to 1,000 requests in one call, in their order (start-predict-sod-violations-batch-v1); each has the status and
   * the body that it would have had alone.
   */
  predictBatch(requests: Iterable<NewAccess>, options?: IncludeOptions): AsyncIterable<BatchResult>;
  /**
   * Starts a verification (start-violation-check-v1); `waitForCheck` has its outcome. Sent with a key of its own, so that
   * it is one check however often it has to be repeated.
   */
  check(access: NewAccess, options?: IncludeOptions): Promise<SodViolationCheck>;
  /** Reads a check, done or not. */
  getCheck(requestId: string, options?: GetCheckOptions): Promise<SodCheck>;
  /** Resolves once the check is done; rejects with a `TimeoutError` when it is not in time. */
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
    body: { type: 'application/json', text: JSON.stringify(access) },
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
      const headers = { 'idempotency-key': drawKey(runtime) };
      const request = { ...post('check', access, options), headers, repeatable: true };
      return (await transport.call<SodViolationCheck>(request)).value;
    },
    getCheck,
    waitForCheck: (requestId, options) => {
      const read = (waitSeconds: number, signal: AbortSignal) => getCheck(requestId, { waitSeconds, signal });
      return waitForCheck(requestId, { getCheck: read, runtime }, options);
    },
  };
}

/** Not all runtimes have `crypto`. Another key of this client is enough: requests that differ never share a check. */
const drawKey = ({ now, random }: Runtime): string =>
  [now(), ...[1, 2, 3].map(() => Math.floor(random() * 2 ** 32))].map((part) => part.toString(36)).join('-');
