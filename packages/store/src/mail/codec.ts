import type { MailKind } from '../record/mail/append.ts';
import type { Tables } from '../schema/tables.ts';
import type { LostMail, MailClaim, MailRecipient } from './mail.ts';

type MailRow = Tables['mail'];

export const rowToClaim = (row: MailRow): MailClaim => ({
  ...rowToLost(row),
  fence: row.fence,
  data: JSON.parse(row.data),
  secret: row.secret,
  created: row.created,
  failures: row.failures,
});

export const rowToLost = (row: Pick<MailRow, 'tenant' | 'id' | 'kind' | 'recipient_id'>): LostMail => ({
  tenant: row.tenant,
  id: row.id,
  kind: row.kind as MailKind,
  recipientId: row.recipient_id,
});

type RecipientRow = Pick<Tables['identity'], 'id' | 'display_name' | 'email' | 'attributes'>;

/** The languages are in the attributes that SCIM has for them. */
export function rowToRecipient({ id, display_name, email, attributes }: RecipientRow): MailRecipient {
  const { preferredLanguage, locale } = attributes === null ? {} : JSON.parse(attributes);
  const languages = [preferredLanguage, locale].flatMap((text) =>
    typeof text === 'string' ? text.split(',').map((tag) => tag.replace(/;.*$/, '').trim().replace('_', '-')) : [],
  );
  return { id, name: display_name, email, languages };
}
