import type { Operation } from '@access-admin/contract';
import { authorize, type Caller, type Result } from '@access-admin/domain';
import type { Scheduler } from '@access-admin/scheduling';
import type { RequestContext } from '../env.ts';
import type { ApiFailure } from '../http/problem.ts';
import type { Authenticate } from './authenticate.ts';

/** Together with the query and the time to finish the answer, an answer ends within five seconds of its caller losing the rights. */
const LOOK_EVERY_MS = 4_000;

/** A request that is being answered. */
export interface WatchedRequest {
  readonly c: RequestContext;
  readonly operation: Pick<Operation, 'rights'>;
  readonly caller: Caller;
}

/** The caller with the rights that it has now. */
export async function presentCaller(
  authenticate: Authenticate,
  { c, operation }: Pick<WatchedRequest, 'c' | 'operation'>,
): Promise<Result<Caller, ApiFailure>> {
  const caller = await authenticate(c);
  if (!caller.ok) return caller;
  const authorized = authorize(operation.rights, caller.value);
  return authorized.ok ? caller : authorized;
}

export interface WatchCallerDeps {
  readonly authenticate: Authenticate;
  /** One look in a turn of the event loop. */
  readonly scheduler: Pick<Scheduler, 'yield'>;
}

/** Looks at the rights of a caller every few seconds, also while its answer is not read, until the returned function is called. */
export function watchCaller(
  { authenticate, scheduler }: WatchCallerDeps,
  request: WatchedRequest,
  onLook: (present: Result<Caller, ApiFailure>) => void,
): () => void {
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;
  const look = async () => {
    await scheduler.yield(request.caller.tenant);
    // Unavailable storage ends no answer.
    const present = await presentCaller(authenticate, request).catch(() => null);
    if (isStopped) return;
    if (present !== null) onLook(present);
    plan();
  };
  const plan = () => {
    if (!isStopped) timer = setTimeout(look, LOOK_EVERY_MS);
  };
  plan();
  return () => {
    isStopped = true;
    if (timer !== null) clearTimeout(timer);
  };
}
