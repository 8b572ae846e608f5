import type { Branding } from '../../administration/branding/branding.ts';
import { LOGO_BYTES_MAX, parseLogo } from '../../administration/branding/logo.ts';
import { type AuditChange, changesBetween } from './event.ts';

/** What has changed, for the audit log: a logo by its type and size, because the log is kept for ever. */
export const brandingChanges = (before: Branding, after: Branding): readonly AuditChange[] =>
  changesBetween(before, after).map((change) =>
    change.field === 'logo'
      ? { ...change, before: describeLogo(before.logo), after: describeLogo(after.logo) }
      : change,
  );

function describeLogo(logo: string | null): string | null {
  const parsed = logo === null ? null : parseLogo(logo);
  return parsed === null ? null : `${parsed.mediaType}, ${parsed.bytes.length} of at most ${LOGO_BYTES_MAX} bytes`;
}
