import { decodeUtf8, type RequestBody } from '@access-admin/contract';
import type { Failure, Result } from '@access-admin/domain';
import type { TakeTurn } from '../event-loop/fair-turns.ts';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import { callerOf } from '../http/caller.ts';
import { ended } from '../http/connection.ts';
import type { Middleware, RequestState } from '../http/env.ts';
import { refuse } from '../http/problem.ts';
import { FREE_BYTES, readBody } from '../http/read-body.ts';
import type { RoomShare, SharedRoom } from '../rooms/shared-room.ts';

export interface BodyDeps {
  /** The room that tenants share for bodies of more than 64 KiB, in bytes as they arrive. */
  readonly bodies: SharedRoom;
  /** The turns of the event loop in which large bodies are parsed. */
  readonly turn: TakeTurn;
}

/**
 * Reads and parses the body that an operation takes (400, 413), for `c.req.valid('json')`. A large body keeps its room until it
 * is parsed or, with `keepsBody`, until the work on the request and its answer have ended.
 */
export function body(
  expected: RequestBody,
  { keepsBody }: { readonly keepsBody: boolean },
  deps: BodyDeps,
): Middleware {
  const parse = createParse(expected, deps.turn);
  return async (c, next) => {
    const { tenant } = callerOf(c);
    let share: RoomShare | null = null;
    const openShare = () => (share ??= deps.bodies.open(tenant, () => ended(c)));
    const release = () => share?.release();
    try {
      const bytes = await readBody(c, { bytesMax: expected.bytesMax, openShare });
      if (!bytes.ok) return refuse(c, bytes.failure);
      const parsed = await parse(bytes.value, tenant);
      if (!parsed.ok) return refuse(c, parsed.failure);
      if (!keepsBody) release();
      c.req.addValidatedData('json', parsed.value as object);
      return await next();
    } finally {
      if (share !== null) void whenDone(c.get('state')).then(release);
    }
  };
}

/** Resolves when neither work nor answer uses the body any more. */
async function whenDone({ work, streamed }: RequestState): Promise<void> {
  await Promise.allSettled([work, streamed]);
}

type Parse = (bytes: Uint8Array, tenant: string) => MaybePromise<Result<unknown, Failure>>;

function createParse({ parse, isOptional }: RequestBody, turn: TakeTurn): Parse {
  const parseNow: Parse = (bytes, tenant) => {
    const decoded = decodeUtf8(bytes);
    if (!decoded.ok) return decoded;
    return parse(decoded.value === '' && isOptional ? '{}' : decoded.value, () => turn(tenant));
  };
  return (bytes, tenant) =>
    bytes.byteLength <= FREE_BYTES ? parseNow(bytes, tenant) : turn(tenant).then(() => parseNow(bytes, tenant));
}
