import { type AccessRef, hasWindow, type TimedAccessRef, timedAccessRef } from '@access-admin/domain';

type Packed = readonly [AccessRef['type'], string] | readonly [AccessRef['type'], string, string | null, string | null];

/** Access refs as stored: JSON, `[type, id]` each, or `[type, id, start, end]` for those with a window, a missing end being null. */
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

/** The same without an object for each, for whoever reads those of a whole population. */
export function eachAssignment(text: string, visit: (type: AccessRef['type'], id: string) => void): void {
  const entries: readonly (readonly [AccessRef['type'], string])[] = JSON.parse(text);
  for (const [type, id] of entries) visit(type, id);
}
