import type { CsrRows } from '../collections/csr-rows.ts';
import { type IdDictionary, idCount } from '../collections/id-dictionary.ts';
import type { StringTable } from '../collections/string-table.ts';
import type { SodBundles, SodCatalogue } from './catalogue.ts';
import type { KOfNPolicies } from './k-of-n-policies.ts';
import type { SodPolicyTable } from './policy-table.ts';
import type { SodIndex, SodOverlay } from './sod-index.ts';

/**
 * About how many bytes of memory an index holds at most: its arrays, and all that answers have ever to name of it. Indexes
 * made by `changePolicies` share the most part, which counts in each of them.
 */
export function sodIndexBytes({ catalogue, compiled, overlay }: SodIndex): number {
  const named = namedBytes([catalogue.numbers.ids, catalogue.names]);
  return catalogueBytes(catalogue) + named + tableBytes(compiled) + (overlay === null ? 0 : overlayBytes(overlay));
}

// Measured with V8: an entry of a map with its key, apart from the text of the key.
export const ENTRY_BYTES = 70;
// Objects, places and the fixed part of the JSON text.
const NAMED_BYTES = 320;
// A policy without its items, and an item of it.
const POLICY_BYTES = 1_000;
const ITEM_BYTES = 120;

export function catalogueBytes({ numbers, names, accessProfiles, roles, marks }: SodCatalogue): number {
  const texts = numbersBytes(numbers) + textBytes(names);
  return texts + marks.bytes.byteLength + bundleBytes(accessProfiles) + bundleBytes(roles);
}

const numbersBytes = ({ ids }: IdDictionary) => textBytes(ids) + idCount(ids) * ENTRY_BYTES + ids.bytes.byteLength;
const textBytes = ({ starts, bytes }: StringTable) => starts.byteLength + bytes.byteLength;
export const rowBytes = ({ starts, values }: CsrRows) => starts.byteLength + values.byteLength;
const bundleBytes = ({ numbers, entitlements }: SodBundles) => numbersBytes(numbers) + rowBytes(entitlements);

function tableBytes({ ids, names, levels, sides, oppositeSides, wide, judged }: SodPolicyTable): number {
  const texts = textBytes(ids) + textBytes(names) + namedBytes([ids, names]);
  const pairs = rowBytes(sides) + rowBytes(oppositeSides) + judged.bytes.byteLength;
  return texts + levels.byteLength + pairs + (wide === null ? 0 : kOfNBytes(wide));
}

function kOfNBytes({
  numbers,
  atLeast,
  sideStarts,
  sideNames,
  sides,
  places,
  sidesByEntitlement,
  judged,
}: KOfNPolicies): number {
  const policies = numbers.byteLength + atLeast.byteLength + sideStarts.byteLength + judged.bytes.byteLength;
  return policies + textBytes(sideNames) + rowBytes(sides) + places.byteLength + rowBytes(sidesByEntitlement);
}

// Each text once as such and once in the JSON text.
function namedBytes([ids, names]: readonly [StringTable, StringTable]): number {
  return idCount(ids) * NAMED_BYTES + (ids.bytes.byteLength + names.bytes.byteLength) * 2;
}

function overlayBytes({ table, policiesById, retired }: SodOverlay): number {
  const { sides, wide } = table;
  const items = sides.values.length + (wide === null ? 0 : wide.sides.values.length + wide.places.length);
  const policies = policiesById.size * POLICY_BYTES + items * ITEM_BYTES;
  return tableBytes(table) + policies + retired.size * ENTRY_BYTES;
}
