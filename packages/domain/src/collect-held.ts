import type { AccessType } from './access-model.ts';
import { createIdTable, type IdTable, numberInText, type TextRange } from './id-table.ts';
import { takeMarks } from './marks.ts';
import type { SodBundles, SodCatalogue } from './sod-catalogue.ts';

/** Gathers what one identity after the other holds. Between `begin` and `end` nothing else may use the catalogue. */
export interface HeldCollector {
  begin(): void;
  /** One assignment: its id is a part of the text. What the catalogue lacks counts for nothing. */
  add(type: AccessType, text: string, range: TextRange): void;
  /** The entitlements, each once and in no order; valid until the next `begin`. */
  end(): Uint32Array;
}

// The work of one to two milliseconds.
const STEP_WORK = 0x2000;

/** The same as `expandAccess`, for many identities: without a sort, in one array, and without a text for each id. Made in steps. */
export function* createHeldCollector(catalogue: SodCatalogue): Generator<void, HeldCollector> {
  const pace = { workMax: STEP_WORK, work: 0 };
  const tables: Readonly<Record<AccessType, IdTable>> = {
    ENTITLEMENT: yield* createIdTable(catalogue.numbers.ids, pace),
    ACCESS_PROFILE: yield* createIdTable(catalogue.accessProfiles.numbers.ids, pace),
    ROLE: yield* createIdTable(catalogue.roles.numbers.ids, pace),
  };
  const { bytes } = catalogue.marks;
  let held = new Uint32Array(1024);
  let count = 0;
  let mark = 0;
  const put = (entitlement: number) => {
    if (bytes[entitlement] === mark) return;
    bytes[entitlement] = mark;
    if (count === held.length) held = doubled(held);
    held[count++] = entitlement;
  };
  const putAll = ({ entitlements: { starts, values } }: SodBundles, bundle: number) => {
    const end = starts[bundle + 1] ?? 0;
    for (let at = starts[bundle] ?? 0; at < end; at++) put(values[at] ?? 0);
  };
  return {
    begin: () => {
      count = 0;
      mark = takeMarks(catalogue.marks);
    },
    add: (type, text, range) => {
      const number = numberInText(tables[type], text, range);
      if (number < 0) return;
      if (type === 'ENTITLEMENT') put(number);
      else putAll(type === 'ROLE' ? catalogue.roles : catalogue.accessProfiles, number);
    },
    end: () => held.subarray(0, count),
  };
}

function doubled(held: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(held.length * 2);
  larger.set(held);
  return larger;
}
