import { NobleCryptoPlugin, ScureBase32Plugin, verifySync } from 'otplib';

/** How long a code is valid, and the unit of steps, in seconds. */
const PERIOD_SECONDS = 30;
/** The length of the output of the hash, as RFC 4226 recommends it. */
export const TOTP_SECRET_BYTES = 20;

const base32 = new ScureBase32Plugin();
const crypto = new NobleCryptoPlugin();

/** The step of an instant (RFC 6238). */
export const stepAt = (nowMs: number): number => Math.floor(nowMs / (PERIOD_SECONDS * 1000));

/** The step whose code this is, one step early or late at most; null without one. */
export function findStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  const token = code.replace(/[ -]/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const epoch = Math.floor(nowMs / 1000);
  const found = verifySync({
    crypto,
    base32,
    secret,
    token,
    epoch,
    period: PERIOD_SECONDS,
    epochTolerance: PERIOD_SECONDS,
  });
  return found.valid ? stepAt(nowMs) + found.delta : null;
}

/** Base32 (RFC 4648) without padding, as apps take secrets. */
export const toBase32 = (bytes: Uint8Array): string => base32.encode(bytes, { padding: false });

/** The bytes of a base32 text; null when it is none. */
export function fromBase32(text: string): Uint8Array | null {
  try {
    return base32.decode(text.toUpperCase());
  } catch {
    return null;
  }
}

/**
 * The `otpauth:` URI for the QR code. A colon separates issuer and account, so one in the account is escaped, which otplib does
 * not do.
 */
export const totpUri = (
  secret: Uint8Array,
  { issuer, account }: { readonly issuer: string; readonly account: string },
): string => {
  const name = encodeURIComponent(issuer);
  return `otpauth://totp/${name}:${encodeURIComponent(account)}?secret=${toBase32(secret)}&issuer=${name}`;
};
