import { type AccessAdminClient, filter, type Source } from '@access-admin/client';
import type { LoadedItem } from '../conversion/write-records.ts';

/** What the service has by the id of an item of a load. */
interface KnownItem {
  readonly item: LoadedItem;
  readonly kind: string;
  /** The system that it is of; nothing where the service knows of none. */
  readonly owner: string | null | undefined;
}

/** What the service has by the ids of items of a load. */
export interface KnownItems {
  /** Items whose kind it has. */
  readonly known: ReadonlySet<LoadedItem>;
  /** Items that would replace those of another system, with the name of that system. */
  readonly foreign: readonly (readonly [item: LoadedItem, owner: string])[];
  /** Items of which no file says the type, and which it has as roles or access profiles. */
  readonly otherwise: readonly (readonly [item: LoadedItem, kind: string])[];
}

/** The service takes a target of 2 KiB, with the path. */
const FILTER_LENGTH_MAX = 1_800;

/** Finds what the service has by the ids of items of a load of a source. What it knows of no system is of none. */
export async function findKnownItems(
  client: AccessAdminClient,
  items: readonly LoadedItem[],
  { source, signal }: { readonly source: Source; readonly signal: AbortSignal },
): Promise<KnownItems> {
  // SCIM names a source by its id, loads by its name.
  const own = new Set([source.id, source.name]);
  const known = new Set<LoadedItem>();
  const foreign: (readonly [LoadedItem, string])[] = [];
  const otherwise: (readonly [LoadedItem, string])[] = [];
  for await (const { item, kind, owner } of read(client, items, signal)) {
    if (item.kind !== kind) {
      otherwise.push([item, kind]);
      continue;
    }
    known.add(item);
    if (owner && owner !== item.source && !own.has(owner)) foreign.push([item, owner]);
  }
  return { known, foreign, otherwise };
}

/** Reads what the service has by ids, of the kind of each item, or of any kind where no file says it. */
async function* read(
  { entitlements, accessProfiles, roles }: AccessAdminClient,
  items: readonly LoadedItem[],
  signal: AbortSignal,
): AsyncGenerator<KnownItem> {
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
  for (const [kind, ownersIn] of Object.entries(ownersOf)) {
    const ofKind = items.filter((item) => item.kind === kind || item.mention === 'any');
    const byId = new Map(ofKind.map((item) => [item.id, item]));
    for (const ids of batchesOf([...byId.keys()]))
      for await (const { id, owner } of ownersIn(filter`id in ${ids}`)) {
        const item = byId.get(id);
        if (item !== undefined) yield { item, kind, owner };
      }
  }
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
