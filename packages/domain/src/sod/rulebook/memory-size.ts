import type { Rows } from '../collections/rows.ts';
import type { SodBundles, SodCatalogue } from './catalogue.ts';
import type { SodGrants } from './grants.ts';
import type { SodPolicyTable } from './policy-table.ts';
import type { SodIndex } from './sod-index.ts';

// Measured with V8. Texts are counted by a length that few ids and names exceed: to read all of them takes milliseconds.

/** Bytes of a map entry with its key, and of an object with an id and a name. */
export const ENTRY_BYTES = 120;
const NAMED_BYTES = 240;
/** A changed policy as it was read, without its items, and an item of it. */
const POLICY_BYTES = 1_000;
const ITEM_BYTES = 120;

/**
 * Estimates the most memory of an index in bytes. Indexes made by `changePolicies` share most of it, which is counted in each
 * of them.
 */
export function sodIndexBytes({ catalogue, compiled, overlay }: SodIndex): number {
  const shared = catalogueBytes(catalogue) + tableBytes(compiled);
  if (overlay === null) return shared;
  const { table, policiesById, retired } = overlay;
  const items = table.sides.values.length + table.policyBySide.length;
  const policies = policiesById.size * POLICY_BYTES + items * ITEM_BYTES;
  return shared + tableBytes(table) + policies + retired.size * ENTRY_BYTES;
}

/** About how many bytes of memory a catalogue holds. */
export const catalogueBytes = ({ entitlements, accessProfiles, roles, grants }: SodCatalogue): number =>
  entitlements.length * (NAMED_BYTES + ENTRY_BYTES) +
  bundleBytes(accessProfiles) +
  bundleBytes(roles) +
  rowBytes(roles.accessProfiles) +
  grantBytes(grants);

/** A grant with its entries in the maps. */
const GRANT_BYTES = 1_000;

const grantBytes = ({ ofEntitlement }: SodGrants): number =>
  [...ofEntitlement.values()].reduce((sum, grants) => sum + grants.length * GRANT_BYTES, 0);

/** Bytes of the arrays of rows. */
export const rowBytes = ({ starts, values }: Rows) => starts.byteLength + values.byteLength;

const bundleBytes = ({ ids, entitlements }: SodBundles) => ids.length * ENTRY_BYTES + rowBytes(entitlements);

const tableBytes = ({ policies, policyBySide, sides, entries }: SodPolicyTable): number =>
  policies.length * (NAMED_BYTES + ENTRY_BYTES) + policyBySide.length * 16 + rowBytes(sides) + rowBytes(entries);
