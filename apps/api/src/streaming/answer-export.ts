import { type Caller, ok, type Result } from '@access-admin/domain';
import type { Semaphore } from '@access-admin/scheduling';
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
}

const FULL: ApiFailure = {
  type: 'Unavailable',
  causes: [{ at: '', text: 'Too many exports are being answered: try again later, and take running ones faster.' }],
};

/** An export is reset when its caller loses the rights. */
export const createAnswerExport =
  ({ exports, ...watchDeps }: AnswerExportDeps): AnswerExport =>
  (request, open) => {
    const { c, caller } = request;
    return openWithSlot(
      exports.open(caller.tenant, { signal: () => requestClosed(c) }),
      () => FULL,
      async () => {
        const text = await open();
        const stop = watchCaller(watchDeps, request, (present) => {
          if (!hasLostRights(present)) return;
          c.get('state').refusal = { detailCode: '403', reason: 'rights lost' };
          reset(c);
        });
        const releaseAll = () => {
          stop();
          text.release?.();
        };
        return ok({ ...text, release: releaseAll });
      },
    );
  };

/** A token may expire while an export is read. */
const hasLostRights = (present: Result<Caller, ApiFailure>): boolean =>
  !present.ok && !(present.failure.type === 'Unauthenticated' && present.failure.reason === 'expired');
