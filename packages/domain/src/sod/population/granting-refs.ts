import { type CsrRows, createRowWriter, endRow, pushNumber, rowsOf } from '../collections/csr-rows.ts';
import { idCount } from '../collections/id-dictionary.ts';
import { invertRows } from '../collections/invert-rows.ts';
import { entitlementsOf } from '../evaluation/expand-access.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';
import { type AccessRefTable, refAt } from './ref-table.ts';

/** For each entitlement of a catalogue, the refs of the table that grant it: itself, access profiles and roles. */
export function compileGrantingRefs(refs: AccessRefTable, catalogue: SodCatalogue): CsrRows {
  const writer = createRowWriter();
  for (let ref = 0; ref < refs.count; ref++) {
    // A ref that the catalogue lacks grants nothing.
    const granted = entitlementsOf(catalogue, refAt(refs, ref)) ?? [];
    for (let at = 0; at < granted.length; at++) pushNumber(writer, granted[at] ?? 0);
    endRow(writer);
  }
  return invertRows(rowsOf(writer), { valueEnd: idCount(catalogue.numbers.ids) });
}
