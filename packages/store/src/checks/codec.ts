import type { IdentityWithNewAccess, NewEvent } from '@access-admin/domain';
import { checkEventData, utf8Length } from '@access-admin/domain';
import { packAccess, unpackAccess } from '../access/records/access-codec.ts';
import { columnToOrigin, originToColumn } from '../query/origin.ts';
import type { SodCheckRow } from '../schema/tables.ts';
import { type CheckCompletion, type ClaimedCheck, type NewCheck, SMALL_RESULT_BYTES } from './check.ts';

/** The first row of a check. */
export const checkToRow = (check: NewCheck): SodCheckRow => ({
  tenant: check.tenant,
  request_id: check.requestId,
  created: check.created,
  state: 'PENDING',
  attempts: 0,
  claimed_twice: 0,
  fence: 0,
  claimable_at_ms: 0,
  identity_id: check.identityId,
  access_refs: packAccess(check.accessRefs),
  client_metadata: check.clientMetadata === null ? null : JSON.stringify(check.clientMetadata),
  completed: null,
  result: null,
  includes: check.includes === undefined || check.includes.length === 0 ? null : JSON.stringify(check.includes),
  at_instant: check.at ?? null,
  origin: originToColumn(check.origin),
});

export const rowToClaimedCheck = (row: SodCheckRow): ClaimedCheck => ({
  tenant: row.tenant,
  requestId: row.request_id,
  created: row.created,
  ...rowToQuestion(row),
  includes: row.includes === null ? [] : JSON.parse(row.includes),
  origin: columnToOrigin(row.origin),
  fence: row.fence,
  attempts: row.attempts,
});

/** The columns of what a check was asked. */
type QuestionRow = Pick<SodCheckRow, 'identity_id' | 'access_refs' | 'client_metadata' | 'at_instant'>;

export const rowToQuestion = (row: QuestionRow): IdentityWithNewAccess => ({
  identityId: row.identity_id,
  accessRefs: unpackAccess(row.access_refs),
  ...(row.at_instant === null ? {} : { at: row.at_instant }),
  clientMetadata: parseMetadata(row.client_metadata),
});

export const parseMetadata = (text: string | null): NewCheck['clientMetadata'] =>
  text === null ? null : JSON.parse(text);

/** The columns that a completion sets, and its claim. */
export const completionToRow = ({ tenant, requestId: id, fence, state, completed, result }: CheckCompletion) => ({
  tenant,
  id,
  fence,
  state,
  completed,
  result,
});

export const completionToEvent = (completion: CheckCompletion): NewEvent => ({
  type: 'sod.check.completed',
  resourceId: completion.requestId,
  time: completion.completed,
  // The event of a check whose result is read together with it, and shown whole, needs no data of its own.
  data:
    completion.eventResult === undefined && isSmall(completion.result)
      ? null
      : checkEventData({ ...completion, result: completion.eventResult ?? completion.result }),
});

/** Whether a result is read together with its check. */
const isSmall = (result: string): boolean =>
  // A character has at most three bytes for each of its code units.
  result.length * 3 <= SMALL_RESULT_BYTES || utf8Length(result) <= SMALL_RESULT_BYTES;
