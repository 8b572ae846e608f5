import type { Catalogue } from '../access-model/records.ts';
import { type CsrRows, createRowWriter, endRow, pushNumber, rowAt, rowsOf } from '../collections/csr-rows.ts';
import { createEpochSet, type EpochSet, startEpoch } from '../collections/epoch-set.ts';
import { createIdDictionary, findId, type IdDictionary, idCount } from '../collections/id-dictionary.ts';
import { sortById } from '../collections/sort-by-id.ts';
import { encodeTexts, type StringTable, textAt } from '../collections/string-table.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';

/** Access profiles or roles with their entitlements, sorted and unique. */
export interface SodBundles {
  readonly numbers: IdDictionary;
  readonly entitlements: CsrRows;
}

/** An entitlement as answers name it. */
export interface SodEntitlement {
  readonly id: string;
  readonly name: string;
}

/**
 * A catalogue compiled for prediction: entitlements are numbered in code-unit order of their ids. The same object serves
 * every index that `changePolicies` makes of one compilation, and one thread.
 */
export interface SodCatalogue {
  readonly numbers: IdDictionary;
  readonly names: StringTable;
  readonly accessProfiles: SodBundles;
  /** With the entitlements of their access profiles. */
  readonly roles: SodBundles;
  /** Cache of the entitlements in the form of answers, by number; filled in on first use. */
  readonly named: (SodEntitlement | undefined)[];
}

/** The parts from which the rest of a catalogue is derived. */
export type SodCatalogueParts = Pick<SodCatalogue, 'numbers' | 'names' | 'accessProfiles' | 'roles'>;

/** Creates a catalogue; the names for answers are added on first use. */
export function createSodCatalogue(parts: SodCatalogueParts): SodCatalogue {
  const { numbers, names, accessProfiles, roles } = parts;
  const named = new Array<SodEntitlement | undefined>(idCount(numbers.ids)).fill(undefined);
  return { numbers, names, accessProfiles, roles, named };
}

/** Compiles a catalogue, in steps. */
export function* compileSodCatalogue(catalogue: Catalogue, budget: WorkBudget): Steps<SodCatalogue> {
  const entitlements = yield* sortById(catalogue.entitlements, budget);
  const numbers = yield* createIdDictionary(entitlements, budget);
  const names = yield* encodeTexts(entitlements, { textOf: ({ name }) => name, budget });
  const compilation = { marks: createEpochSet(entitlements.length), budget };
  const accessProfiles = yield* compileBundles(catalogue.accessProfiles, {
    ...compilation,
    gather: (profile, add) => {
      for (const id of profile.entitlements) add(findId(numbers, id));
    },
  });
  const roles = yield* compileBundles(catalogue.roles, {
    ...compilation,
    gather: (role, add) => {
      for (const id of role.entitlements) add(findId(numbers, id));
      for (const id of role.accessProfiles) {
        const profile = findId(accessProfiles.numbers, id);
        if (profile !== undefined) rowAt(accessProfiles.entitlements, profile).forEach(add);
      }
    },
  });
  return createSodCatalogue({ numbers, names, accessProfiles, roles });
}

/** The entitlement of a number. */
export const entitlementAt = (catalogue: SodCatalogue, number: number): SodEntitlement =>
  catalogue.named[number] ?? nameEntitlement(catalogue, number);

function nameEntitlement({ numbers, names, named }: SodCatalogue, number: number): SodEntitlement {
  const entitlement = { id: textAt(numbers.ids, number), name: textAt(names, number) };
  named[number] = entitlement;
  return entitlement;
}

interface BundleCompilation<T> {
  readonly marks: EpochSet;
  readonly budget: WorkBudget;
  /** Emits the entitlements of a bundle; undefined for those that the catalogue lacks. */
  gather(bundle: T, add: (entitlement: number | undefined) => void): void;
}

function* compileBundles<T extends { readonly id: string }>(
  bundles: readonly T[],
  { marks, budget, gather }: BundleCompilation<T>,
): Steps<SodBundles> {
  const sorted = yield* sortById(bundles, budget);
  const writer = createRowWriter();
  for (const bundle of sorted) {
    const mark = startEpoch(marks);
    let gathered = 1;
    gather(bundle, (entitlement) => {
      gathered++;
      if (entitlement === undefined || marks.bytes[entitlement] === mark) return;
      marks.bytes[entitlement] = mark;
      pushNumber(writer, entitlement);
    });
    endRow(writer);
    if (isPauseDue(budget, gathered)) yield;
  }
  return { numbers: yield* createIdDictionary(sorted, budget), entitlements: rowsOf(writer) };
}
