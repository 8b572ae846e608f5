import {
  ACCESS_TYPES,
  AUDIT_OUTCOMES,
  AUDITED_RESOURCES,
  type AuditEvent,
  type AuditLogHead,
} from '@access-admin/domain';
import * as v from 'valibot';
import type { FilterField, FilterFields } from '../query/filters.ts';
import { closedObject, timestamp } from '../validation/fields.ts';
import { responseSchema } from '../validation/named-schema.ts';

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

const refs = v.exactOptional(
  v.array(
    closedObject({
      type: v.picklist(ACCESS_TYPES),
      id: v.string(),
      start: v.exactOptional(timestamp),
      end: v.exactOptional(timestamp),
    }),
  ),
);

const change = closedObject({
  field: v.string(),
  before: v.unknown(),
  after: v.unknown(),
  added: refs,
  removed: refs,
});

const event = closedObject({
  sequence: v.pipe(v.number(), v.integer(), v.minValue(1)),
  time: timestamp,
  tenant: v.string(),
  actor: closedObject({ clientId: v.string(), identityId: v.nullable(v.string()) }),
  operation: v.string(),
  resource: closedObject({ type: v.picklist(AUDITED_RESOURCES), id: v.nullable(v.string()) }),
  outcome: v.picklist(AUDIT_OUTCOMES),
  changes: v.array(change),
  count: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  trackingId: v.string(),
  previousHash: v.nullable(hash),
  hash,
  erased: v.exactOptional(closedObject({ fields: v.array(v.string()), digest: hash })),
});

/** One line of the export of the audit log. */
export const auditEvent = responseSchema<AuditEvent>('AuditEvent')(event);

/** Response of the list of audit events. */
export const auditEvents = responseSchema<readonly AuditEvent[]>()(v.array(event));

/** The last event of the audit log, signed by the service; 0 and null while the log is empty. */
export interface SignedAuditHead extends AuditLogHead {
  /** A compact JWS over tenant, sequence and hash, and over firstSequence and previousHash once events were archived and removed. */
  readonly signature: string;
}

/** Response of the read of the head. */
export const auditHead = responseSchema<SignedAuditHead>('AuditHead')(
  closedObject({
    sequence: v.pipe(v.number(), v.integer(), v.minValue(0)),
    hash: v.nullable(hash),
    firstSequence: v.pipe(v.number(), v.integer(), v.minValue(1)),
    previousHash: v.nullable(hash),
    signature: v.string(),
  }),
);

const equal = { operators: ['eq'], kind: 'text' } as const satisfies FilterField;

/**
 * The fields that `filters` of the list of audit events can compare; `actor` is a client id or an identity id, `resourceId` is
 * the id of the event's resource or of one of the identities that it concerns.
 */
export const AUDIT_FILTERS = {
  time: { operators: ['ge', 'le'], kind: 'instant' },
  actor: equal,
  operation: equal,
  resourceType: { ...equal, values: AUDITED_RESOURCES },
  resourceId: equal,
  outcome: { ...equal, values: AUDIT_OUTCOMES },
} as const satisfies FilterFields;
