import type { Branding } from '../../administration/branding/branding.ts';
import { bytesOfLogo, LOGO_BYTES_MAX } from '../../administration/branding/logo.ts';
import { type AuditChange, changesBetween } from './event.ts';

/** Audits a logo by its size, because the log is kept for ever. */
export const brandingChanges = (before: Branding, after: Branding): readonly AuditChange[] =>
  changesBetween(before, after).map((change) =>
    change.field === 'logo'
      ? { ...change, before: describeLogo(before.logo), after: describeLogo(after.logo) }
      : change,
  );

const describeLogo = (logo: string | null): string | null =>
  logo === null ? null : `image/png, ${bytesOfLogo(logo)} of at most ${LOGO_BYTES_MAX} bytes`;
