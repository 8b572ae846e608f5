import type { AuditChange, AuditEvent, SealedAuditEvent } from '@access-admin/domain';

/** The values of a created or deleted resource by property, which take less room than changes from or to null. */
type WholeResource = { readonly created: object } | { readonly deleted: object };

/** In place of the changes, which counted requests do not have. */
interface Counted {
  readonly count: number;
}

/** Encodes the changes of an event as JSON: the values of a created or deleted resource, all changes, or the count of refused requests. */
export function packChanges({ event: { changes, resource, count }, changesText }: SealedAuditEvent): string {
  if (count !== undefined) return JSON.stringify({ count } satisfies Counted);
  // In an event about several resources, fields are ids.
  if (resource.id === null || changes.length === 0 || changes.some(hasRefs)) return changesText;
  if (changes.every(({ before }) => before === null)) return packWhole({ created: valuesOf(changes, 'after') });
  if (changes.every(({ after }) => after === null)) return packWhole({ deleted: valuesOf(changes, 'before') });
  return changesText;
}

const hasRefs = ({ added, removed }: AuditChange): boolean => added !== undefined || removed !== undefined;

const packWhole = (whole: WholeResource): string => JSON.stringify(whole);

function valuesOf(changes: readonly AuditChange[], side: 'before' | 'after'): object {
  const values: Record<string, unknown> = {};
  for (const change of changes) values[change.field] = change[side];
  return values;
}

export function unpackChanges(text: string): readonly AuditChange[] {
  const stored: WholeResource | Counted | readonly AuditChange[] = JSON.parse(text);
  if ('count' in stored) return [];
  if ('created' in stored)
    return Object.entries(stored.created).map(([field, after]) => ({ field, before: null, after }));
  if ('deleted' in stored)
    return Object.entries(stored.deleted).map(([field, before]) => ({ field, before, after: null }));
  // Members are stored sorted by name.
  return stored.map(({ field, before, after, ...refs }) => ({ field, before, after, ...refs }));
}

/** The count of an event that counts refused requests; nothing for other events. */
export function unpackCount(text: string): Pick<AuditEvent, 'count'> {
  return text.startsWith('{"count":') ? { count: (JSON.parse(text) as Counted).count } : {};
}
