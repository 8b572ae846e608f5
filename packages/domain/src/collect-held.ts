import type { AccessType } from './access-model.ts';
import { entitlementsOf } from './expand-access.ts';
import { takeMarks } from './marks.ts';
import type { SodCatalogue } from './sod-catalogue.ts';

/** Gathers what one identity after the other holds. Between `begin` and `end` nothing else may use the catalogue. */
export interface HeldCollector {
  begin(): void;
  /** One assignment. What the catalogue lacks counts for nothing. */
  add(type: AccessType, id: string): void;
  /** The entitlements, each once and in no order; valid until the next `begin`. */
  end(): Uint32Array;
}

/** The same as `expandAccess`, for many identities: without a sort, and in one array. */
export function createHeldCollector(catalogue: SodCatalogue): HeldCollector {
  const { marks } = catalogue;
  let held = new Uint32Array(1024);
  let count = 0;
  let mark = 0;
  return {
    begin: () => {
      count = 0;
      mark = takeMarks(marks);
    },
    add: (type, id) => {
      const part = entitlementsOf(catalogue, { type, id });
      if (part === undefined) return;
      if (count + part.length > held.length) held = grown(held, count + part.length);
      for (let at = 0; at < part.length; at++) {
        const entitlement = part[at] ?? 0;
        if (marks.bytes[entitlement] === mark) continue;
        marks.bytes[entitlement] = mark;
        held[count++] = entitlement;
      }
    },
    end: () => held.subarray(0, count),
  };
}

function grown(held: Uint32Array, lengthMin: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(lengthMin, held.length * 2));
  larger.set(held);
  return larger;
}
