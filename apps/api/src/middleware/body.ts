import { decodeUtf8, type RequestBody } from '@access-admin/contract';
import type { Failure, Result } from '@access-admin/domain';
import type { Semaphore, Slot } from '@access-admin/scheduling';
import type { Jobs } from '../event-loop/jobs.ts';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import { callerOf } from '../http/caller.ts';
import { requestClosed } from '../http/connection.ts';
import type { Middleware, RequestState } from '../http/env.ts';
import { refuse } from '../http/problem.ts';
import { FREE_BYTES, readBody } from '../http/read-body.ts';

export interface BodyDeps {
  /** For bodies of more than 64 KiB, in bytes as they arrive. */
  readonly bodies: Semaphore;
  /** Large bodies are parsed one per turn of the event loop. */
  readonly jobs: Pick<Jobs, 'begin' | 'yield'>;
}

/**
 * Reads and parses the body that an operation takes (400, 413), for `c.req.valid('json')`. A large body holds memory until it
 * is parsed or, with `keepsBody`, until the work on the request and its answer have ended.
 */
export function body(
  expected: RequestBody,
  { keepsBody }: { readonly keepsBody: boolean },
  deps: BodyDeps,
): Middleware {
  const parse = createParse(expected, deps.jobs);
  return async (c, next) => {
    const { tenant } = callerOf(c);
    let slot: Slot | null = null;
    const openSlot = () => (slot ??= deps.bodies.open(tenant, { signal: () => requestClosed(c) }));
    const release = () => slot?.release();
    try {
      const bytes = await readBody(c, { bytesMax: expected.bytesMax, openSlot });
      if (!bytes.ok) return refuse(c, bytes.failure);
      const parsed = await parse(bytes.value, tenant);
      if (!parsed.ok) return refuse(c, parsed.failure);
      if (!keepsBody) release();
      c.req.addValidatedData('json', parsed.value as object);
      return await next();
    } finally {
      if (slot !== null) void whenDone(c.get('state')).then(release);
    }
  };
}

/** Resolves when neither work nor answer uses the body any more. */
async function whenDone({ work, streamed }: RequestState): Promise<void> {
  await Promise.allSettled([work, streamed]);
}

type Parse = (bytes: Uint8Array, tenant: string) => MaybePromise<Result<unknown, Failure>>;

function createParse({ parse, isOptional }: RequestBody, jobs: BodyDeps['jobs']): Parse {
  const parseNow = (bytes: Uint8Array, pause: () => Promise<void>) => {
    const decoded = decodeUtf8(bytes);
    if (!decoded.ok) return decoded;
    return parse(decoded.value === '' && isOptional ? '{}' : decoded.value, pause);
  };
  return (bytes, tenant) => {
    const job = jobs.begin(tenant, null);
    const pause = () => jobs.yield(job);
    return bytes.byteLength <= FREE_BYTES ? parseNow(bytes, pause) : pause().then(() => parseNow(bytes, pause));
  };
}
