/** A JSON Pointer (RFC 6901) as unescaped reference tokens; empty for the whole document. */
export type JsonPointer = readonly string[];

/** Parses a JSON Pointer; null when the text is not one. */
export function parsePointer(text: string): JsonPointer | null {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return null;
  return text
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Writes a JSON Pointer as text. */
export function formatPointer(pointer: JsonPointer): string {
  return pointer.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Whether a pointer leads into the value at another pointer. */
export function isInside(pointer: JsonPointer, outer: JsonPointer): boolean {
  return pointer.length > outer.length && outer.every((token, index) => token === pointer[index]);
}
