import {
  type AccessRef,
  type AccessType,
  hasWindow,
  type TextPart,
  type TimedAccessRef,
  timedAccessRef,
} from '@access-admin/domain';

type Packed = readonly [AccessRef['type'], string] | readonly [AccessRef['type'], string, string | null, string | null];

/** Encodes access refs as JSON: `[type, id]` each, or `[type, id, start, end]` with a window, where a missing bound is null. */
export function packAccess(refs: readonly TimedAccessRef[]): string {
  return JSON.stringify(refs.map(packRef));
}

const packRef = (ref: TimedAccessRef): Packed =>
  hasWindow(ref) ? [ref.type, ref.id, ref.start ?? null, ref.end ?? null] : [ref.type, ref.id];

export function unpackAccess(text: string): readonly TimedAccessRef[] {
  const packed: readonly Packed[] = JSON.parse(text);
  return packed.map(([type, id, start, end]) =>
    start === undefined ? { type, id } : timedAccessRef({ type, id }, { start, end }),
  );
}

/** Receives a type and the position of the id, which is valid until the function returns. */
export type VisitAssignment = (type: AccessType, id: TextPart) => void;

/**
 * Decodes the access refs of a whole population without an object and a string for each. When some have a window, it returns
 * all of them instead, and the caller must discard those visited before.
 */
export function eachAssignment(text: string, visit: VisitAssignment): readonly TimedAccessRef[] | null {
  if (text === '[]') return null;
  let visited = 0;
  const part = { text, start: 0, end: 0 };
  // Each ref is `["TYPE","id"]`, and ids have no character that JSON escapes.
  for (let at = 1; ; visited++) {
    const type = typeOf(text.charCodeAt(at + 2));
    if (type === null) break;
    part.start = at + type.length + '["","'.length;
    part.end = part.start;
    while (text.charCodeAt(part.end) > QUOTE) part.end++;
    if (text.charCodeAt(part.start - 1) !== QUOTE || text.charCodeAt(part.end) !== QUOTE) break;
    if (text.charCodeAt(part.end + 1) !== END) break;
    visit(type, part);
    if (text.charCodeAt(part.end + 2) === END) return null;
    at = part.end + 3;
  }
  // In any other form, the rest is parsed as JSON.
  const all = unpackAccess(text);
  if (all.some(hasWindow)) return all;
  for (const { type, id } of all.slice(visited)) visit(type, { text: id, start: 0, end: id.length });
  return null;
}

// All characters of ids have higher codes.
const QUOTE = 0x22;
const END = 0x5d;
const INITIAL_E = 0x45;
const INITIAL_A = 0x41;
const INITIAL_R = 0x52;

function typeOf(initial: number): AccessType | null {
  if (initial === INITIAL_E) return 'ENTITLEMENT';
  if (initial === INITIAL_R) return 'ROLE';
  return initial === INITIAL_A ? 'ACCESS_PROFILE' : null;
}

/** The ref that a key of `GrantingAccess` stands for: its type, a space and its id. */
export function keyToRef(key: string): AccessRef {
  const at = key.indexOf(' ');
  return { type: key.slice(0, at) as AccessType, id: key.slice(at + 1) };
}
