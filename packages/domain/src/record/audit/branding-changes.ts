import type { Branding } from '../../administration/branding.ts';
import { type AuditChange, changesBetween } from './event.ts';

/** Audits a logo by its size, because the log is kept for ever. */
export const brandingChanges = (before: Branding, after: Branding): readonly AuditChange[] =>
  changesBetween(before, after).map((change) =>
    change.field === 'logo'
      ? { ...change, before: describeLogo(before.logo), after: describeLogo(after.logo) }
      : change,
  );

const describeLogo = (logo: string | null): string | null =>
  logo === null ? null : `image/png, ${bytesOf(logo.slice(logo.indexOf(',') + 1))} bytes`;

/** The length of what a text in base64 stands for. */
const bytesOf = (base64: string): number => (base64.length / 4) * 3 - (/={0,2}$/.exec(base64)?.[0].length ?? 0);
