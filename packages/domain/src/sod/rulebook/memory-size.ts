import type { CsrRows } from '../collections/csr-rows.ts';
import { type IdDictionary, idCount } from '../collections/id-dictionary.ts';
import type { StringTable } from '../collections/string-table.ts';
import type { SodBundles, SodCatalogue } from './catalogue.ts';
import type { SodPolicyTable } from './policy-table.ts';
import type { SodIndex, SodOverlay } from './sod-index.ts';

/**
 * Estimates the most memory of an index in bytes: its arrays, the cached names for answers, and an evaluator. Indexes made
 * by `changePolicies` share most of it, which is counted in each of them.
 */
export function sodIndexBytes({ catalogue, compiled, overlay }: SodIndex): number {
  const { ids } = catalogue.numbers;
  const scratch = idCount(ids) * SCRATCH_BYTES + compiled.policyBySide.length;
  const answers = namedBytes([ids, catalogue.names]) + scratch;
  return catalogueBytes(catalogue) + answers + tableBytes(compiled) + (overlay === null ? 0 : overlayBytes(overlay));
}

/** Bytes of a map entry with its key, without the text of the key; measured with V8. */
export const ENTRY_BYTES = 70;
// Objects, places and the fixed part of the JSON text.
const NAMED_BYTES = 320;
// The memory of an evaluator for one entitlement.
const SCRATCH_BYTES = 5;
// A policy without its items, and an item of it.
const POLICY_BYTES = 1_000;
const ITEM_BYTES = 120;

/** About how many bytes of memory a catalogue holds, without what answers have to name of it. */
export const catalogueBytes = ({ numbers, names, accessProfiles, roles }: SodCatalogue): number =>
  numbersBytes(numbers) + textBytes(names) + bundleBytes(accessProfiles) + bundleBytes(roles);

const numbersBytes = ({ ids }: IdDictionary) => textBytes(ids) + idCount(ids) * ENTRY_BYTES + ids.bytes.byteLength;
const textBytes = ({ starts, bytes }: StringTable) => starts.byteLength + bytes.byteLength;
/** Bytes of the arrays of rows. */
export const rowBytes = ({ starts, values }: CsrRows) => starts.byteLength + values.byteLength;
const bundleBytes = ({ numbers, entitlements }: SodBundles) => numbersBytes(numbers) + rowBytes(entitlements);

function tableBytes(table: SodPolicyTable): number {
  const { ids, names, terms, sideNames, levels, atLeast, kOfN, sideStarts, sides, policyBySide, entries } = table;
  const texts = textBytes(ids) + textBytes(names) + textBytes(terms) + textBytes(sideNames) + namedBytes([ids, names]);
  const arrays = [levels, atLeast, kOfN, sideStarts, policyBySide].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return texts + arrays + rowBytes(sides) + rowBytes(entries);
}

// Each text is counted twice: as itself and as part of the JSON text.
function namedBytes([ids, names]: readonly [StringTable, StringTable]): number {
  return idCount(ids) * NAMED_BYTES + (ids.bytes.byteLength + names.bytes.byteLength) * 2;
}

function overlayBytes({ table, policiesById, retired }: SodOverlay): number {
  const items = table.sides.values.length + table.policyBySide.length;
  const policies = policiesById.size * POLICY_BYTES + items * ITEM_BYTES;
  return tableBytes(table) + policies + retired.size * ENTRY_BYTES;
}
