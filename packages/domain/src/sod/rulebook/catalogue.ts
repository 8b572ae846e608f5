import type { AccessProfile, Catalogue, Entitlement, Role } from '../../access/model/records.ts';
import { sortById } from '../../access/model/sort-by-id.ts';
import { addRow, createRowWriter, type Rows, rowsOf } from '../collections/rows.ts';
import { createGrantCollector, type SodGrants } from './grants.ts';

/** Access profiles or roles, numbered in code-unit order of their ids. */
export interface SodBundles {
  readonly ids: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  /** The entitlements of each, sorted and unique. */
  readonly entitlements: Rows;
}

/** Roles, whose entitlements include those of their access profiles. */
export interface SodRoles extends SodBundles {
  /** The access profiles of each, sorted and unique. */
  readonly accessProfiles: Rows;
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
  readonly entitlements: readonly SodEntitlement[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly accessProfiles: SodBundles;
  readonly roles: SodRoles;
  readonly grants: SodGrants;
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
  const entitlements: SodEntitlement[] = [];
  const numbers = new Map<string, number>();
  const accessProfiles = createBundleWriter();
  const roles = createBundleWriter();
  const profilesOfRoles = createRowWriter();
  const grants = createGrantCollector();
  /** Entitlements that the catalogue lacks are left out. */
  const numbersOf = (ids: readonly string[]): number[] => ids.flatMap((id) => numbers.get(id) ?? []);
  return {
    addEntitlements: (added) => {
      for (const entitlement of added) {
        const { id, name } = entitlement;
        const number = entitlements.push({ id, name }) - 1;
        numbers.set(id, number);
        grants.add(number, entitlement);
      }
    },
    addAccessProfiles: (added) => {
      for (const profile of added) accessProfiles.add(profile.id, numbersOf(profile.entitlements));
    },
    addRoles: (added) => {
      for (const role of added) {
        const own = numbersOf(role.entitlements);
        for (const id of role.accessProfiles) for (const number of accessProfiles.get(id)) own.push(number);
        roles.add(role.id, own);
        addRow(
          profilesOfRoles,
          role.accessProfiles.flatMap((id) => accessProfiles.numberOf(id) ?? []),
        );
      }
    },
    finish: () => ({
      entitlements,
      numbers,
      accessProfiles: accessProfiles.finish(),
      roles: { ...roles.finish(), accessProfiles: rowsOf(profilesOfRoles) },
      grants: grants.grants,
    }),
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
export function entitlementAt({ entitlements }: Pick<SodCatalogue, 'entitlements'>, number: number): SodEntitlement {
  const entitlement = entitlements[number];
  if (entitlement === undefined) throw new Error(`The catalogue has no entitlement ${number}.`);
  return entitlement;
}

function createBundleWriter() {
  const ids: string[] = [];
  const numbers = new Map<string, number>();
  const rows = createRowWriter();
  return {
    add: (id: string, entitlements: number[]): void => {
      numbers.set(id, ids.push(id) - 1);
      addRow(rows, entitlements);
    },
    numberOf: (id: string): number | undefined => numbers.get(id),
    get: (id: string): readonly number[] => {
      const number = numbers.get(id);
      return number === undefined ? [] : rows.values.slice(rows.starts[number], rows.starts[number + 1]);
    },
    finish: (): SodBundles => ({ ids, numbers, entitlements: rowsOf(rows) }),
  };
}
