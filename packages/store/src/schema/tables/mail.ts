import { defineTable } from '../definition/define-table.ts';

/** Mails that workers send. A row leaves the table once its mail is sent; that of a period stays until the period is over. */
export const mail = defineTable({
  name: 'mail',
  columns: {
    tenant: 'text',
    /** A UUID, or the name of a period, which has one mail. */
    id: 'text',
    kind: 'text',
    /** The identity that it is sent to; null for one that a worker first replaces by mails to several. */
    recipient_id: 'text?',
    /** JSON: what it tells, by name. */
    data: 'text',
    /** The address of a sign-in link, encrypted, see secrets/cipher.ts; null for none. */
    secret: 'text?',
    created: 'text',
    /** When it is sent, or tried again; null when it is done. */
    due_ms: 'bigint?',
    /** When it is given up, or that of a period removed. */
    expires_ms: 'bigint',
    /** How often the server has put it off. */
    failures: 'integer',
    /** 1 where the row stays when it is done. */
    is_of_period: 'integer',
    /** Grows with each claim. */
    fence: 'integer',
    /** 0, or when the lease ends. */
    claimable_at_ms: 'bigint',
  },
  key: 'tenant, id',
  indexes: [
    'create index mail_due on mail (tenant, due_ms, id) where due_ms is not null',
    'create index mail_expires on mail (expires_ms)',
    'create index mail_recipient on mail (tenant, recipient_id) where recipient_id is not null',
  ],
});
