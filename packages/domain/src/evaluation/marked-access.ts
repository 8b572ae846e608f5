import type { CsrRows } from '../collections/csr-rows.ts';
import { startEpoch } from '../collections/epoch-set.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';

/** Who has what while a prediction runs: held entitlements bear `heldMark`, gained ones its successor, all others less. */
export interface MarkedAccess {
  readonly marks: Uint8Array;
  readonly heldMark: number;
}

/** The entitlements of one side of a policy. */
export interface SideRow {
  readonly rows: CsrRows;
  readonly row: number;
}

/** Marks what is held and what is gained. Both arrays are numbers of the index and are left as they are. */
export function markAccess({ catalogue }: SodIndex, held: Uint32Array, requested: Uint32Array): MarkedAccess {
  const heldMark = startEpoch(catalogue.marks);
  const marks = catalogue.marks.bytes;
  for (let i = 0; i < held.length; i++) marks[held[i] ?? 0] = heldMark;
  for (let i = 0; i < requested.length; i++) {
    const entitlement = requested[i] ?? 0;
    if (marks[entitlement] !== heldMark) marks[entitlement] = heldMark + 1;
  }
  return { marks, heldMark };
}

/** Whether an entitlement of the side is held. */
export function isHeld({ rows: { starts, values }, row }: SideRow, { marks, heldMark }: MarkedAccess): boolean {
  const end = starts[row + 1] ?? 0;
  for (let at = starts[row] ?? 0; at < end; at++) if (marks[values[at] ?? 0] === heldMark) return true;
  return false;
}

/** Whether an entitlement of the side is held or gained. */
export function isHeldOrGained({ rows: { starts, values }, row }: SideRow, { marks, heldMark }: MarkedAccess): boolean {
  const end = starts[row + 1] ?? 0;
  for (let at = starts[row] ?? 0; at < end; at++) if ((marks[values[at] ?? 0] ?? 0) >= heldMark) return true;
  return false;
}
