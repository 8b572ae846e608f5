import type { AccessRef } from '@access-admin/domain';

/** Access refs as stored: JSON, `[type, id]` each; a later schema may append a window of time. */
export function packAccess(refs: readonly AccessRef[]): string {
  return JSON.stringify(refs.map(({ type, id }) => [type, id]));
}

export function unpackAccess(text: string): readonly AccessRef[] {
  const pairs: readonly [AccessRef['type'], string][] = JSON.parse(text);
  return pairs.map(([type, id]) => ({ type, id }));
}

/** The same without an object for each, for whoever reads those of a whole population. */
export function eachAssignment(text: string, visit: (type: AccessRef['type'], id: string) => void): void {
  const entries: readonly (readonly [AccessRef['type'], string])[] = JSON.parse(text);
  for (const [type, id] of entries) visit(type, id);
}
