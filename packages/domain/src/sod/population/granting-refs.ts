import { addRow, createRowWriter, invertRows, type Rows, rowsOf } from '../collections/rows.ts';
import { entitlementsOf } from '../evaluation/access.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';
import { type AccessRefTable, refAt } from './ref-table.ts';

/**
 * For each entitlement of a catalogue, the refs of the table that grant it: itself, access profiles and roles. Entitlements that
 * do not count have none.
 */
export function compileGrantingRefs(
  refs: AccessRefTable,
  catalogue: SodCatalogue,
  counts: (entitlement: number) => boolean = () => true,
): Rows {
  const granted = createRowWriter();
  // A ref that the catalogue lacks grants nothing.
  for (let ref = 0; ref < refs.count; ref++)
    addRow(granted, Array.from(entitlementsOf(catalogue, refAt(refs, ref)) ?? []).filter(counts));
  return invertRows(rowsOf(granted), catalogue.entitlements.length);
}
