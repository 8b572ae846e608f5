import { type Caller, ok, type Result } from '@access-admin/domain';
import type { Semaphore } from '@access-admin/scheduling';
import type { Admit, Authenticate } from '../auth/authenticate.ts';
import { type WatchCallerDeps, type WatchedRequest, watchCaller } from '../auth/watch-caller.ts';
import { requestClosed, reset } from '../http/connection.ts';
import type { ApiFailure } from '../http/problem.ts';
import { openWithSlot } from './slot.ts';
import type { LongText } from './stream-json.ts';

/** Opens the text of an export, which may hold a snapshot of the database, once there is a slot. */
export type AnswerExport = (
  request: WatchedRequest,
  open: () => LongText | Promise<LongText>,
) => Promise<Result<{ readonly text: LongText }, ApiFailure>>;

export interface AnswerExportDeps extends WatchCallerDeps {
  readonly exports: Semaphore;
  readonly admit: Admit;
}

const FULL: ApiFailure = {
  type: 'Unavailable',
  causes: [{ at: '', text: 'Too many exports are being answered: try again later, and take running ones faster.' }],
};

/** An export is reset when its caller loses the rights. */
export const createAnswerExport =
  ({ exports, authenticate, admit, scheduler }: AnswerExportDeps): AnswerExport =>
  async (request, open) => {
    const { c, caller } = request;
    const opened = await openWithSlot(
      exports.open(caller.tenant, { signal: () => requestClosed(c) }),
      () => FULL,
      async () => {
        const text = await open();
        const watchDeps = { authenticate: admitExpired(authenticate, admit, caller), scheduler };
        const stop = watchCaller(watchDeps, request, (present) => {
          if (present.ok) return;
          c.env.state.refusal = { detailCode: '403', reason: 'rights lost' };
          reset(c);
        });
        const releaseAll = () => {
          stop();
          text.release?.();
        };
        return ok({ ...text, release: releaseAll });
      },
    );
    return opened.ok ? ok({ text: opened.value }) : opened;
  };

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
