import type { Transaction } from 'kysely';
import { newEventId } from '../../engine/event-id.ts';
import { insertMissing } from '../../query/insert.ts';
import type { Tables } from '../../schema/tables.ts';

/** The kinds of mails. Mails of kinds that a later version adds wait for its workers. */
export const MAIL_KINDS = [
  'sign-in-link',
  'factor-added',
  'exception-requested',
  'exception-decided',
  'exception-ending',
  'violations-weekly',
] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

/** By name; identities, policies and exceptions are told by their ids. */
export type MailData = Readonly<Record<string, string | number | null>>;

/** A mail to be stored. */
export interface NewMail {
  readonly kind: MailKind;
  /** Null where a worker finds the recipients. */
  readonly recipientId: string | null;
  /** What it tells, by name. */
  readonly data: MailData;
  /** A sealed address; null for none. */
  readonly secret?: string | null;
  /** When it is given up; three days later if left out. */
  readonly expiresMs?: number;
  /** Of a mail of a period, which is sent once; a new UUID if left out. */
  readonly id?: string;
}

const KEPT_MS = 3 * 86_400_000;

/** Stores mails in the transaction of what they tell, at a time in ISO 8601. One of a period that is there already is left out. */
export async function appendMails(
  trx: Transaction<Tables>,
  { tenant, time }: { readonly tenant: string; readonly time: string },
  mails: readonly NewMail[],
): Promise<void> {
  const nowMs = Date.parse(time);
  const rows = mails.map(({ kind, recipientId, data, secret = null, expiresMs = nowMs + KEPT_MS, id }) => ({
    tenant,
    id: id ?? newEventId(),
    kind,
    recipient_id: recipientId,
    data: JSON.stringify(data),
    secret,
    created: time,
    due_ms: nowMs,
    expires_ms: expiresMs,
    failures: 0,
    is_of_period: id === undefined ? 0 : 1,
    fence: 0,
    claimable_at_ms: 0,
  }));
  await insertMissing(trx, 'mail', rows);
}
