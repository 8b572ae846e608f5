import { type Caller, ok, type Result } from '@access-admin/domain';
import type { Semaphore } from '@access-admin/scheduling';
import { requestClosed } from '../http/connection.ts';
import type { RequestContext } from '../http/env.ts';
import type { ApiFailure } from '../http/problem.ts';
import { openWithSlot } from './slot.ts';
import type { LongText } from './stream-json.ts';

/** Opens the text of an export, which may hold a snapshot of the database, once there is a slot. */
export type AnswerExport = (
  request: { readonly c: RequestContext; readonly caller: Pick<Caller, 'tenant'> },
  open: () => LongText | Promise<LongText>,
) => Promise<Result<{ readonly text: LongText }, ApiFailure>>;

const FULL: ApiFailure = {
  type: 'Unavailable',
  causes: [{ at: '', text: 'Too many exports are being answered: try again later, and take running ones faster.' }],
};

export const createAnswerExport =
  (exports: Semaphore): AnswerExport =>
  ({ c, caller: { tenant } }, open) =>
    openWithSlot(
      exports.open(tenant, { signal: () => requestClosed(c) }),
      () => FULL,
      async () => ok(await open()),
    );
