import { type AccessAdminClient, filter, type Source } from '@access-admin/client';
import type { LoadedItem } from '../conversion/write-records.ts';

/** A record of the catalogue whose id the service has for one of another system. */
export interface ForeignItem extends LoadedItem {
  /** What the service says of which system it is. */
  readonly owner: string;
}

/** The service takes a target of 2 KiB, with the path. */
const FILTER_LENGTH_MAX = 1_800;

/** Finds the records of a load of a source that would replace those of other systems. What the service knows of no system is of none. */
export async function findForeignItems(
  { entitlements, accessProfiles, roles }: AccessAdminClient,
  items: readonly LoadedItem[],
  { source, signal }: { readonly source: Source; readonly signal: AbortSignal },
): Promise<readonly ForeignItem[]> {
  // SCIM names a source by its id, loads by its name.
  const own = new Set([source.id, source.name]);
  const ownersOf = {
    entitlement: async function* (filters: string) {
      for await (const { id, source: owner } of entitlements.list({ filters, signal })) yield { id, owner };
    },
    accessProfile: async function* (filters: string) {
      for await (const { id, attributes } of accessProfiles.list({ filters, signal }))
        yield { id, owner: attributes['source'] };
    },
    role: async function* (filters: string) {
      for await (const { id, attributes } of roles.list({ filters, signal })) yield { id, owner: attributes['source'] };
    },
  };
  const found: ForeignItem[] = [];
  for (const [kind, ownersIn] of Object.entries(ownersOf)) {
    const byId = new Map(items.filter((item) => item.kind === kind).map((item) => [item.id, item]));
    for (const ids of batchesOf([...byId.keys()]))
      for await (const { id, owner } of ownersIn(filter`id in ${ids}`)) {
        const item = byId.get(id);
        if (item !== undefined && owner && owner !== item.source && !own.has(owner)) found.push({ ...item, owner });
      }
  }
  return found;
}

/** Ids in lists that a filter has room for. */
function* batchesOf(ids: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const id of ids) {
    const added = encodeURIComponent(`"${id}", `).length;
    if (length + added > FILTER_LENGTH_MAX) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(id);
    length += added;
  }
  if (batch.length > 0) yield batch;
}
