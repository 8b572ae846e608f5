/** Bytes that WebCrypto takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** Decodes base64 or base64url; null for a text that is not what encoding its bytes gives. */
export function fromBase64(text: string, alphabet: 'base64' | 'base64url' = 'base64'): Bytes | null {
  const standard = alphabet === 'base64url' ? text.replace(/-/g, '+').replace(/_/g, '/') : text;
  try {
    const characters = atob(standard);
    const padding = alphabet === 'base64url' ? '' : standard.slice(standard.search(/=*$/));
    const isCanonical = btoa(characters).replace(/=*$/, '') + padding === standard;
    return isCanonical && (alphabet === 'base64' || !/[+/=]/.test(text))
      ? Uint8Array.from(characters, (character) => character.charCodeAt(0))
      : null;
  } catch {
    return null;
  }
}

/** The text of bytes in UTF-8; null for bytes that are none. */
export function fromUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The value of a JSON text; undefined for a text that is none. */
export function fromJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
