import { parseAddress, type TextIssue } from '@access-admin/domain';
import { EMBEDDING_ORIGINS_BYTES_MAX, EMBEDDING_ORIGINS_MAX } from '../limits.ts';

const HOST_LENGTH_MAX = 253;
const PORT_MAX = 65_535;

// Browsers compare scheme and host without regard to case, so both cases are allowed.
const ORIGIN = /^(?:https?:\/\/)?(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>[1-9][0-9]{0,4}))?$/i;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;

const GRAMMAR = 'must be http(s)://host[:port] or host[:port], without a path; origins are separated by single spaces';

/**
 * The issues of a list of origins that may embed the UI: at most 100 of `http(s)://host[:port]` or `host[:port]`, separated by
 * single spaces. Each legal one is safe in a Content-Security-Policy, and has one byte a character.
 */
export function embeddingOriginsIssues(text: string): readonly TextIssue[] {
  const origins = text.split(' ', EMBEDDING_ORIGINS_MAX + 1);
  if (origins.length > EMBEDDING_ORIGINS_MAX)
    return [{ type: 'LimitExceeded', text: `must have at most ${EMBEDDING_ORIGINS_MAX} origins` }];
  return origins.flatMap((origin, index): TextIssue[] =>
    isOrigin(origin) ? [] : [{ type: 'IllegalValue', text: GRAMMAR, index }],
  );
}

/** Why a list of legal origins is too long. */
export function longOriginsText(text: string): string {
  const count = text.split(' ').length;
  const fitting = text.slice(0, EMBEDDING_ORIGINS_BYTES_MAX + 1).split(' ').length - 1;
  return `must have at most ${EMBEDDING_ORIGINS_BYTES_MAX} bytes, for the header Content-Security-Policy: the last ${count - fitting} of ${count} origins are beyond`;
}

function isOrigin(text: string): boolean {
  const parts = ORIGIN.exec(text)?.groups;
  if (parts?.['host'] === undefined) return false;
  return isHost(parts['host']) && Number(parts['port'] ?? 1) <= PORT_MAX;
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return parseAddress(host.slice(1, -1))?.length === 16;
  if (host.length > HOST_LENGTH_MAX) return false;
  if (host.startsWith('*.')) return isName(host.slice(2)) && host.slice(2).includes('.');
  return isName(host) || parseAddress(host) !== null;
}

/** Browsers parse a host whose last label has only digits as an IPv4 address. */
const isName = (host: string): boolean =>
  host.split('.').every((label) => LABEL.test(label)) && !/(?:^|\.)[0-9]+$/.test(host);
