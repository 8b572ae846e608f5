import { CONTROL_DAYS_MAX, CONTROL_SECONDARY_OWNERS_MAX, expirationMs } from '@access-admin/domain';
import * as v from 'valibot';
import { CONTROL_DESCRIPTION_LENGTH_MAX, CONTROL_NAME_LENGTH_MAX } from '../limits.ts';
import {
  atMost,
  closedObject,
  identityRef,
  inOneDirection,
  optionalOwner,
  optionalText,
  recordId,
  reference,
} from '../validation/fields.ts';
import { issueText } from '../validation/validate.ts';

/** The record of a control in imports and exports. */
export const controlRecord = closedObject({
  kind: v.literal('control'),
  id: recordId,
  name: v.pipe(reference, atMost(CONTROL_NAME_LENGTH_MAX), inOneDirection),
  description: optionalText(CONTROL_DESCRIPTION_LENGTH_MAX),
  owner: optionalOwner,
  secondaryOwners: v.optional(
    v.pipe(
      v.array(identityRef),
      v.maxLength(
        CONTROL_SECONDARY_OWNERS_MAX,
        issueText('LimitExceeded', `must have at most ${CONTROL_SECONDARY_OWNERS_MAX} identities`),
      ),
    ),
    [],
  ),
  type: v.optional(v.literal('Mitigation'), 'Mitigation'),
  expiration: v.pipe(
    reference,
    v.check(
      (text) => expirationMs(text) !== null,
      issueText('IllegalValue', `must be hours or days such as 720h or 20d, from 1 hour to ${CONTROL_DAYS_MAX} days`),
    ),
  ),
  justificationRequired: v.optional(v.boolean(), false),
});
