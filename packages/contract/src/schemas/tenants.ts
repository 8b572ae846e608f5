import * as v from 'valibot';
import { closedObject, timestamp } from '../validation/fields.ts';
import { responseSchema } from '../validation/named-schema.ts';

/** A tenant of the service. */
export interface Tenant {
  /** Its name. */
  readonly tenant: string;
  /** ISO 8601 in UTC with milliseconds; null where it is not known. */
  readonly created: string | null;
  /** `REMOVING` from the request for its removal on, until nothing is left of it. */
  readonly state: 'ACTIVE' | 'REMOVING';
  /** How far its removal is; null while it is active. */
  readonly removal: TenantRemoval | null;
}

/** How far the removal of a tenant is. */
export interface TenantRemoval {
  /** When it was asked for, in ISO 8601. */
  readonly requested: string;
  /** How many rows of the database are removed so far. */
  readonly removedRows: number;
}

const entries = closedObject({
  tenant: v.string(),
  created: v.nullable(timestamp),
  state: v.picklist(['ACTIVE', 'REMOVING']),
  removal: v.nullable(
    closedObject({
      requested: timestamp,
      removedRows: v.pipe(v.number(), v.integer(), v.minValue(0)),
    }),
  ),
});

/** Response of the read of a tenant, and of the request for its removal. */
export const tenant = responseSchema<Tenant>('Tenant')(entries);

/** Response of the list of tenants. */
export const tenants = responseSchema<readonly Tenant[]>()(v.array(entries));
