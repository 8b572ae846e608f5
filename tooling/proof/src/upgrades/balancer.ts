import { setTimeout as delay } from 'node:timers/promises';
import type { ClientOptions } from '@access-admin/client';
import type { ApiSlot } from '../service/open-fleet.ts';

/** How often a balancer asks an API whether it is ready. */
const PROBE_EVERY_MS = 100;
const PROBE_MS_MAX = 1_000;

type Fetch = NonNullable<ClientOptions['fetch']>;

/** What balancers count requests by. */
export type RequestKind = 'token requests' | 'predictions' | 'checks' | 'reads' | 'writes';

export type Balancer = Awaited<ReturnType<typeof openBalancer>>;

/** Sends requests to APIs in turn, over kept connections, and only to those whose last `/readyz` was 200. It sends none twice. */
export async function openBalancer(apis: readonly ApiSlot[], versionOf: (api: ApiSlot) => string) {
  const stopping = new AbortController();
  const ready = new Set<ApiSlot>(apis);
  const kinds = new Map<RequestKind, number>();
  const versions = new Map<string, number>();
  let requests = 0;
  let failed = 0;
  let attempts = 0;
  const probe = async (api: ApiSlot) => {
    while (!stopping.signal.aborted) {
      if (await isReady(api)) ready.add(api);
      else ready.delete(api);
      await delay(PROBE_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const probing = Promise.all(apis.map(probe));

  /** Of an API that refuses the connection nothing was sent, so another one gets the request. */
  const sendToNext = async (path: string, init: RequestInit): Promise<readonly [ApiSlot, Response]> => {
    for (;;) {
      const candidates = apis.filter((api) => ready.has(api));
      const api = candidates[attempts++ % candidates.length];
      if (api === undefined) throw new Error('no API is ready');
      try {
        return [api, await fetch(api.baseAddress + path, init)];
      } catch (error) {
        if (!isRefused(error)) throw error;
        ready.delete(api);
      }
    }
  };
  const send: Fetch = async (url, init) => {
    const { pathname, search } = new URL(url);
    const [api, response] = await sendToNext(pathname + search, init).catch((error) => {
      failed += 1;
      throw error;
    });
    if (response.status >= 500) failed += 1;
    count(kinds, kindOf(init.method ?? 'GET', pathname));
    count(versions, versionOf(api));
    requests += 1;
    return response;
  };
  return {
    fetch: send,
    /** Answered requests, of any status. */
    get requests() {
      return requests;
    },
    /** Requests without an answer, or with a 5xx. */
    get failed() {
      return failed;
    },
    kinds: kinds as ReadonlyMap<RequestKind, number>,
    /** Answered requests by the version of the API. */
    versions: versions as ReadonlyMap<string, number>,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await probing;
    },
  };
}

const isReady = async ({ baseAddress }: ApiSlot): Promise<boolean> => {
  try {
    const response = await fetch(`${baseAddress}/readyz`, { signal: AbortSignal.timeout(PROBE_MS_MAX) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
};

const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED';

const count = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);

function kindOf(method: string, path: string): RequestKind {
  if (path === '/oauth/token') return 'token requests';
  if (path.endsWith('/predict')) return 'predictions';
  if (method === 'GET') return 'reads';
  return path.endsWith('/check') ? 'checks' : 'writes';
}
