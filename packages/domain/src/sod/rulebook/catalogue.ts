import type { AccessProfile, Catalogue, Entitlement, Role } from '../../access/model/records.ts';
import { sortById } from '../../access/model/sort-by-id.ts';
import { type CsrRows, createRowWriter, endRow, pushNumber, type RowWriter, rowsOf } from '../collections/csr-rows.ts';
import {
  addId,
  createIdWriter,
  type IdDictionary,
  type IdWriter,
  idCount,
  idsOf,
} from '../collections/id-dictionary.ts';
import { addText, createTextWriter, type StringTable, textAt, textsOf } from '../collections/string-table.ts';

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

/**
 * Compiles a catalogue from its records: first all entitlements, then all access profiles, then all roles, each in code-unit
 * order of their ids. Records may come in parts.
 */
export interface CatalogueCompiler {
  addEntitlements(entitlements: readonly Entitlement[]): void;
  addAccessProfiles(accessProfiles: readonly AccessProfile[]): void;
  addRoles(roles: readonly Role[]): void;
  finish(): SodCatalogue;
}

/** Creates a compiler without records. */
export function createCatalogueCompiler(): CatalogueCompiler {
  const numbers = createIdWriter();
  const names = createTextWriter();
  const profiles = createBundleWriter();
  const roles = createBundleWriter();
  return {
    addEntitlements: (entitlements) => {
      for (const { id, name } of entitlements) {
        addId(numbers, id);
        addText(names, name);
      }
    },
    addAccessProfiles: (accessProfiles) => {
      for (const { id, entitlements } of accessProfiles) {
        addEntitlements(profiles, entitlements, numbers);
        endBundle(profiles, id);
      }
    },
    addRoles: (added) => {
      for (const { id, entitlements, accessProfiles } of added) {
        addEntitlements(roles, entitlements, numbers);
        for (const profileId of accessProfiles) addBundle(roles, profiles, profileId);
        endBundle(roles, id);
      }
    },
    finish: () => {
      const { ids, known } = idsOf(numbers);
      const named = new Array<SodEntitlement | undefined>(idCount(ids)).fill(undefined);
      return {
        numbers: { ids, known },
        names: textsOf(names),
        accessProfiles: bundlesOf(profiles),
        roles: bundlesOf(roles),
        named,
      };
    },
  };
}

/** Compiles a catalogue at once. */
export function compileSodCatalogue({ entitlements, accessProfiles, roles }: Catalogue): SodCatalogue {
  const compiler = createCatalogueCompiler();
  compiler.addEntitlements(sortById(entitlements));
  compiler.addAccessProfiles(sortById(accessProfiles));
  compiler.addRoles(sortById(roles));
  return compiler.finish();
}

/** The entitlement of a number. */
export const entitlementAt = (catalogue: SodCatalogue, number: number): SodEntitlement =>
  catalogue.named[number] ?? nameEntitlement(catalogue, number);

function nameEntitlement({ numbers, names, named }: SodCatalogue, number: number): SodEntitlement {
  const entitlement = { id: textAt(numbers.ids, number), name: textAt(names, number) };
  named[number] = entitlement;
  return entitlement;
}

interface BundleWriter {
  readonly ids: IdWriter;
  readonly rows: RowWriter;
}

const createBundleWriter = (): BundleWriter => ({ ids: createIdWriter(), rows: createRowWriter() });

/** Adds entitlements to the bundle under construction; those that the catalogue lacks are left out. */
function addEntitlements({ rows }: BundleWriter, ids: readonly string[], { known }: IdWriter): void {
  for (const id of ids) {
    const entitlement = known.get(id);
    if (entitlement !== undefined) pushNumber(rows, entitlement);
  }
}

/** Adds the entitlements of a bundle that was ended. */
function addBundle({ rows }: BundleWriter, from: BundleWriter, id: string): void {
  const bundle = from.ids.known.get(id);
  if (bundle === undefined) return;
  const end = from.rows.starts[bundle + 1] ?? 0;
  for (let at = from.rows.starts[bundle] ?? 0; at < end; at++) pushNumber(rows, from.rows.values[at] ?? 0);
}

function endBundle({ ids, rows }: BundleWriter, id: string): void {
  addId(ids, id);
  endRow(rows);
}

const bundlesOf = ({ ids, rows }: BundleWriter): SodBundles => ({ numbers: idsOf(ids), entitlements: rowsOf(rows) });
