import { chooseLanguage, fillIn, type Language, type Values } from '@access-admin/languages';
import type { MailRecipient } from '@access-admin/store';
import { MAIL_TEXTS, type MailText } from './texts.ts';

/** A paragraph: a text with its values, of which times are `Date`s. */
export type Line = readonly [text: MailText, values?: GivenValues];

type GivenValues = Readonly<Record<string, string | number | Date>>;

/** What a mail tells. */
export interface MailContent {
  readonly subject: MailText;
  readonly lines: readonly Line[];
  /** Where it leads. */
  readonly action: MailText;
  readonly url: string;
}

/** A mail as plain text and as HTML. Its subject has no names, so that a name cannot add a header. */
export interface WrittenMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Writes a mail in the language of its recipient, or in English. `address` is that of the tenant. */
export function writeMail(
  { name, languages }: Pick<MailRecipient, 'name' | 'languages'>,
  { subject, lines, action, url }: MailContent,
  address: string,
): WrittenMail {
  const language = chooseLanguage(null, languages);
  const write = (text: MailText, values: GivenValues = {}) =>
    fillIn(MAIL_TEXTS[language][text], shownIn(language, values), language);
  const greeting = name === null ? write('greeting.nameless') : write('greeting', { name });
  const paragraphs = [greeting, ...lines.map(([text, values]) => write(text, values))];
  const label = write(action);
  const footer = write('footer', { address });
  const style = 'font: 16px/1.5 system-ui, sans-serif; max-width: 40em';
  return {
    subject: write(subject),
    text: `${[...paragraphs, `${label}: ${url}`, `--\n${footer}`].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${language}">
<body style="${style}">
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>
<p style="color: #666; font-size: 14px">${escapeHtml(footer)}</p>
</body>
</html>
`,
  };
}

/** Names lose what would begin a line. Times are in UTC: the zone of a person is not known. */
function shownIn(language: Language, values: GivenValues): Values {
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (value instanceof Date) return [key, `${times.format(value)} UTC`];
      return [key, typeof value === 'string' ? value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ') : value];
    }),
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
