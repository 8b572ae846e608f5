import { utf8 } from './bytes.ts';

/** SHA-256 of a text in UTF-8, in lower-case hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', utf8(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
