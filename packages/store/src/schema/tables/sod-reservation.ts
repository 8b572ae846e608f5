import { defineTable } from '../definition/define-table.ts';

/** Access that is reserved for identities. */
export const sodReservation = defineTable({
  name: 'sod_reservation',
  columns: {
    tenant: 'text',
    id: 'text',
    identity_id: 'text',
    /** JSON: access refs, as identities have them. */
    access_refs: 'text',
    /** LIVE also after its end, until a worker has told it. */
    state: 'text',
    created: 'text',
    expires: 'text',
    ended: 'text?',
    reference: 'text?',
    /** JSON: object of texts. */
    client_metadata: 'text?',
    client_id: 'text',
    requester_id: 'text?',
    /** JSON: what it would have caused when it was made. */
    prediction: 'text',
    /** When it expires, or is removed once it has ended. */
    due: 'text',
  },
  key: 'tenant, id',
  indexes: [
    "create index sod_reservation_live on sod_reservation (tenant, identity_id, created, id) where state = 'LIVE'",
    // Counts those of a tenant.
    "create index sod_reservation_open on sod_reservation (tenant, expires) where state = 'LIVE'",
    'create index sod_reservation_identity on sod_reservation (tenant, identity_id, id)',
    'create index sod_reservation_reference on sod_reservation (tenant, reference, id)',
    'create index sod_reservation_created on sod_reservation (tenant, created, id)',
    'create index sod_reservation_expires on sod_reservation (tenant, expires, id)',
    'create index sod_reservation_due on sod_reservation (due)',
  ],
});
