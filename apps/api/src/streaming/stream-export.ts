import type { Caller, Result } from '@access-admin/domain';
import { ok } from '@access-admin/domain';
import type { Admit, Authenticate } from '../auth/authenticate.ts';
import { watchCaller } from '../auth/watch-caller.ts';
import type { RequestContext } from '../env.ts';
import type { Answer } from '../http/answer.ts';
import { callerOf } from '../http/caller.ts';
import { requestClosed, reset } from '../http/connection.ts';
import type { ApiFailure } from '../http/problem.ts';
import { openWithSlot } from './slot.ts';
import { type LongText, streamJson } from './stream-json.ts';

const FULL: ApiFailure = {
  type: 'Unavailable',
  causes: [{ at: '', text: 'Too many exports are being answered: try again later, and take running ones faster.' }],
};

/** What is exported, or why nothing is. */
type Opened = LongText | Result<never, ApiFailure>;

/**
 * Answers an export, JSON lines unless the headers name another type, once there is a slot: an export may hold a snapshot of the
 * database. It is reset when its caller loses the rights.
 */
export async function streamExport(
  c: RequestContext,
  open: () => Opened | Promise<Opened>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { state, services } = c.env;
  const caller = callerOf(c);
  const { authorization } = state;
  if (authorization === null) throw new Error('The request has not been authorized.');
  const slot = services.semaphores.exports.open(caller.tenant, { signal: () => requestClosed(c) });
  const opened = await openWithSlot(
    slot,
    () => FULL,
    async () => {
      const text = await open();
      if ('ok' in text) return text;
      const watchDeps = {
        authenticate: admitExpired(services.authenticate, services.admit, caller),
        scheduler: services.scheduler,
      };
      const stop = watchCaller(watchDeps, { c, operation: authorization, caller }, (present) => {
        if (present.ok) return;
        state.refusal = { detailCode: '403', reason: 'rights lost' };
        reset(c);
      });
      const releaseAll = () => {
        stop();
        text.release?.();
      };
      return ok({ ...text, release: releaseAll });
    },
  );
  return opened.ok ? streamJson(c, opened.value, { 'content-type': 'application/x-ndjson', ...headers }) : opened;
}

/** A token may expire while an export is read; then its caller still needs the rights. */
function admitExpired(authenticate: Authenticate, admit: Admit, caller: Caller): Authenticate {
  const { clientCreated = null, secretVersion = null, issuedMs = Number.POSITIVE_INFINITY } = caller;
  const claims = { ...caller, clientCreated, secretVersion, issuedAtMs: issuedMs };
  return async (c) => {
    const present = await authenticate(c);
    const isExpired = !present.ok && present.failure.type === 'Unauthenticated' && present.failure.reason === 'expired';
    return isExpired ? admit(claims) : present;
  };
}
