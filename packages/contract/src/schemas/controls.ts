import { CONTROL_DAYS_MAX, CONTROL_SECONDARY_OWNERS_MAX, type Control, expirationMs } from '@access-admin/domain';
import * as v from 'valibot';
import { CONTROL_DESCRIPTION_LENGTH_MAX, CONTROL_NAME_LENGTH_MAX } from '../limits.ts';
import type { FilterFields } from '../query/filters.ts';
import {
  atMost,
  closedObject,
  identityRef,
  ignored,
  inOneDirection,
  instant,
  listOfAtMost,
  optionalOwner,
  optionalText,
  recordId,
  reference,
  shownIdentityRef,
  timestamp,
} from '../validation/fields.ts';
import { requestSchema, responseSchema } from '../validation/named-schema.ts';
import { resourcePatch } from '../validation/patch.ts';
import { illegal } from '../validation/validate.ts';

/** The record of a control in imports and exports. */
export const controlRecord = v.strictObject({
  kind: v.literal('control'),
  id: recordId,
  name: v.pipe(reference, atMost(CONTROL_NAME_LENGTH_MAX), inOneDirection),
  description: optionalText(CONTROL_DESCRIPTION_LENGTH_MAX),
  owner: optionalOwner,
  secondaryOwners: v.optional(listOfAtMost(identityRef, CONTROL_SECONDARY_OWNERS_MAX, 'identities'), []),
  type: v.optional(v.literal('Mitigation'), 'Mitigation'),
  expiration: v.pipe(
    reference,
    v.check(
      (text) => expirationMs(text) !== null,
      illegal(`must be hours or days such as 720h or 20d, from 1 hour to ${CONTROL_DAYS_MAX} days`),
    ),
  ),
  justificationRequired: v.optional(v.boolean(), false),
});

/** The fields that `filters` of the list of controls can compare. */
export const CONTROL_FILTERS = {
  id: { operators: ['eq', 'in'], kind: 'text' },
  name: { operators: ['eq', 'in', 'sw', 'co'], kind: 'text' },
  // There are controls of the other type in SailPoint only.
  type: { operators: ['eq'], kind: 'text', values: ['Mitigation', 'Remediation'] },
  description: { operators: ['co'], kind: 'text' },
  'owner.id': { operators: ['eq'], kind: 'text' },
} as const satisfies FilterFields;

const { kind: _, id: __, ...fields } = controlRecord.entries;

/** Request that creates or replaces a control. Read-only properties are accepted and dropped. */
export const controlFields = requestSchema(
  'ControlFields',
  v.pipe(
    closedObject({
      ...fields,
      id: v.exactOptional(recordId),
      created: v.exactOptional(instant),
      modified: v.exactOptional(instant),
      // Properties of controls of SailPoint.
      action: ignored,
      workflowID: ignored,
    }),
    v.transform(
      ({ created: _created, modified: _modified, action: _action, workflowID: _workflowId, ...control }) => control,
    ),
  ),
);

/** Patches of a control as answers show it. */
export const controlPatch = resourcePatch(controlFields, {
  id: 'readOnly',
  name: 'required',
  description: 'optional',
  owner: 'optional',
  type: 'readOnly',
  expiration: 'required',
  justificationRequired: 'required',
  secondaryOwners: 'required',
  created: 'readOnly',
  modified: 'readOnly',
  action: 'readOnly',
  workflowID: 'readOnly',
});

const shownControl = closedObject({
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  owner: v.nullable(shownIdentityRef),
  secondaryOwners: v.array(shownIdentityRef),
  type: v.literal('Mitigation'),
  expiration: v.string(),
  justificationRequired: v.boolean(),
  created: timestamp,
  modified: timestamp,
});

/** Response of the operations on one control. */
export const control = responseSchema<Control>('Control')(shownControl);

/** Response of the list of controls. */
export const controls = responseSchema<readonly Control[]>()(v.array(shownControl));
