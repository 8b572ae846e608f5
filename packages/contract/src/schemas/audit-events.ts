import { AUDIT_OUTCOMES, AUDITED_RESOURCES } from '@access-admin/domain';
import * as v from 'valibot';
import type { FilterField } from '../query/filters.ts';

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** One event of the audit log. */
export const auditEvent = v.object({
  sequence: v.pipe(v.number(), v.integer(), v.minValue(1)),
  time: v.pipe(v.string(), v.isoTimestamp()),
  tenant: v.string(),
  actor: v.object({ clientId: v.string(), identityId: v.nullable(v.string()) }),
  operation: v.string(),
  resource: v.object({ type: v.picklist(AUDITED_RESOURCES), id: v.nullable(v.string()) }),
  outcome: v.picklist(AUDIT_OUTCOMES),
  changes: v.array(v.object({ field: v.string(), before: v.unknown(), after: v.unknown() })),
  trackingId: v.string(),
  previousHash: v.nullable(hash),
  hash,
});

/** The signed end of the audit log; 0 and null while it is empty. */
export const auditHead = v.object({
  sequence: v.pipe(v.number(), v.integer(), v.minValue(0)),
  hash: v.nullable(hash),
  signature: v.string(),
});

const equal: FilterField = { operators: ['eq'], kind: 'text' };

/** What the list of audit events can be filtered by; `actor` is a client or an identity. */
export const AUDIT_FILTERS = {
  time: { operators: ['ge', 'le'], kind: 'moment' },
  actor: equal,
  operation: equal,
  resourceType: { ...equal, values: AUDITED_RESOURCES },
  resourceId: equal,
  outcome: { ...equal, values: AUDIT_OUTCOMES },
} as const satisfies Record<string, FilterField>;
