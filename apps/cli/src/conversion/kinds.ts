import { RECORD_KINDS } from '@access-admin/domain';
import { readBeginningBytes } from '../files/read-beginning.ts';
import { CommandFailure } from '../output/failure.ts';

/** The kinds of files that conversions read. */
export const FORMATS = ['csv', 'xlsx', 'ldif', 'sap', 'scim', 'graph', 'okta', 'ndjson'] as const;

/** One of the kinds of files. */
export type Format = (typeof FORMATS)[number];

/** What a file is by its content. */
export interface FileKind {
  /** What it can be read as; none for a kind that is not read. */
  readonly formats: readonly Format[];
  /** Its kind for people. */
  readonly name: string;
  readonly encoding: string;
}

const SIGNATURES: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'a workbook of old Excel (.xls); save it as .xlsx'],
  [[0x1f, 0x8b], 'compressed by gzip; unpack it'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0x50, 0x41, 0x52, 0x31], 'a Parquet file'],
];

/** Looks at the beginning of a file. Throws a `CommandFailure` where it cannot be read. */
export function kindOf(path: string): FileKind {
  const bytes = readBeginningBytes(path);
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) {
    const isWorkbook = bytes.includes('xl/') || bytes.includes('[Content_Types].xml');
    return isWorkbook
      ? { formats: ['xlsx'], name: 'a workbook of Excel (.xlsx)', encoding: 'binary' }
      : { formats: [], name: 'a ZIP archive; unpack it', encoding: 'binary' };
  }
  for (const [signature, name] of SIGNATURES)
    if (startsWith(bytes, signature)) return { formats: [], name, encoding: 'binary' };
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes, { stream: true }).replace(/^\ufeff/, '');
  if (text.includes('\0'))
    return { formats: [], name: 'no text, or text in another encoding, such as UTF-32', encoding };
  return { ...textKind(text), encoding };
}

function textKind(text: string): Omit<FileKind, 'encoding'> {
  const begin = text.trimStart();
  if (begin === '') return { formats: FORMATS, name: 'empty' };
  if (/^[{[]/.test(begin)) return jsonKind(begin);
  if (/^<(\?xml|!doctype|html|table|workbook)/i.test(begin)) return { formats: [], name: 'XML or HTML' };
  if (/^(#[^\n]*\n\s*)*(version:\s*\d+\s+)?(#[^\n]*\n\s*)*dn::?\s/i.test(begin))
    return { formats: ['ldif'], name: 'LDIF' };
  return { formats: ['csv', 'sap'], name: 'a table in text (CSV)' };
}

/** A record of the service has its kind. */
const RECORD = new RegExp(`"kind"\\s*:\\s*"(${RECORD_KINDS.join('|')})"`);

function jsonKind(text: string): Omit<FileKind, 'encoding'> {
  const has = (pattern: RegExp) => pattern.test(text);
  if (RECORD.test(text)) return { formats: ['ndjson'], name: 'records of the service (NDJSON)' };
  if (has(/urn:ietf:params:scim:|"Resources"\s*:\s*\[/)) return { formats: ['scim'], name: 'SCIM' };
  if (has(/"@odata\.|#microsoft\.graph\.|"userPrincipalName"\s*:/))
    return { formats: ['graph'], name: 'an answer of Microsoft Graph (Entra)' };
  if (has(/"profile"\s*:\s*\{/) && has(/"(login|_links|lastMembershipUpdated)"\s*:/))
    return { formats: ['okta'], name: 'users or groups of Okta' };
  // Without any of these marks it is what the caller says.
  return { formats: ['scim', 'graph', 'okta', 'ndjson'], name: 'JSON' };
}

/** Throws a `CommandFailure` that names the kind of a file that is of another one than said. */
export function expectFormat(path: string, format: Format): FileKind {
  const kind = kindOf(path);
  if (kind.formats.includes(format)) return kind;
  const [other] = kind.formats;
  const advice = other === undefined ? '' : `: --from ${other} reads it`;
  throw new CommandFailure(`${path}:1:1: is not ${format} but ${kind.name}${advice}`);
}

const startsWith = (bytes: Buffer, signature: readonly number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte);

/** The encoding by the byte order mark, else by the zeros of UTF-16, else UTF-8 where the bytes are, else Latin-1 as Windows has it. */
export function encodingOf(sample: Buffer): string {
  if (startsWith(sample, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(sample, [0xfe, 0xff])) return 'utf-16be';
  const zeros = [0, 0];
  const looked = Math.min(sample.length, 4096);
  for (let at = 0; at < looked; at++) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // Text that is mostly of Latin letters has a zero in every second byte.
  if (odd > looked / 8 && even <= looked / 64) return 'utf-16le';
  if (even > looked / 8 && odd <= looked / 64) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
