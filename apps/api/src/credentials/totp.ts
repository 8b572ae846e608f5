import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long a code is valid, and the unit of steps. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** The length of the output of the hash, as RFC 4226 recommends it. */
export const TOTP_SECRET_BYTES = 20;

/** The step of an instant. */
export const stepAt = (nowMs: number): number => Math.floor(nowMs / STEP_MS);

/** The code of a step (RFC 6238 with HMAC-SHA-1, which every app supports). */
export function codeOfStep(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0');
}

/** The step whose code this is, one step early or late at most; null without one. Compares all of them. */
export function findStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  const typed = code.replace(/[ -]/g, '');
  if (!/^\d{6}$/.test(typed)) return null;
  const now = stepAt(nowMs);
  const steps = [now + 1, now, now - 1];
  const matching = steps.filter((step) => timingSafeEqual(Buffer.from(typed), Buffer.from(codeOfStep(secret, step))));
  return matching[0] ?? null;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 (RFC 4648) without padding, as apps take secrets. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** The bytes of a base32 text; null when it is none. */
export function fromBase32(text: string): Uint8Array | null {
  const values = [...text.toUpperCase()].map((character) => ALPHABET.indexOf(character));
  if (values.includes(-1)) return null;
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** The address that an app reads from a QR code. */
export function totpUri(
  secret: Uint8Array,
  { issuer, account }: { readonly issuer: string; readonly account: string },
) {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
