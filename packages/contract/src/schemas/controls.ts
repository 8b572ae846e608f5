import type { Control } from '@access-admin/domain';
import * as v from 'valibot';
import type { FilterField } from '../query/filters.ts';
import { closedObject, instant, recordId, shownIdentityRef } from '../validation/fields.ts';
import { responseSchema } from '../validation/response-schema.ts';
import { controlRecord } from './control-record.ts';

/** The fields that `filters` of the list of controls can compare. */
export const CONTROL_FILTERS = {
  id: { operators: ['eq', 'in'], kind: 'text' },
  name: { operators: ['eq', 'sw', 'co'], kind: 'text' },
} as const satisfies Record<string, FilterField>;

const { kind: _, id: __, ...fields } = controlRecord.entries;

// A property of controls of SailPoint: accepted and dropped.
const ignored = v.exactOptional(v.pipe(v.unknown(), v.metadata({ description: 'Accepted and ignored.' })));

/** Request that creates or replaces a control. Read-only properties are accepted and dropped. */
export const controlFields = v.pipe(
  closedObject({
    ...fields,
    id: v.exactOptional(recordId),
    created: v.exactOptional(instant),
    modified: v.exactOptional(instant),
    action: ignored,
    workflowID: ignored,
  }),
  v.transform(
    ({ created: _created, modified: _modified, action: _action, workflowID: _workflowId, ...control }) => control,
  ),
);

const timestamp = v.pipe(v.string(), v.isoTimestamp());

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
export const control = responseSchema<Control>()(shownControl);

/** Response of the list of controls. */
export const controls = responseSchema<readonly Control[]>()(v.array(shownControl));
