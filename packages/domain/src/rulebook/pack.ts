import { idCount } from '../collections/id-dictionary.ts';
import type { PackReader } from '../collections/sections.ts';
import {
  createPackReader,
  joinSections,
  readBytes,
  readRows,
  readStarts,
  readTexts,
  rowSections,
  textSections,
} from '../collections/sections.ts';
import { SOD_POLICY_LEVELS } from '../policy/model.ts';
import { COMPILE_STEP_WORK, createWorkBudget, runToEnd, type Steps } from '../steps/work-budget.ts';
import { createSodCatalogue, type SodBundles, type SodCatalogue } from './catalogue.ts';
import { createSodPolicyTable, type SodPolicyTableParts } from './policy-table.ts';
import type { SodIndex } from './sod-index.ts';

/**
 * Packs an index to bytes in this machine's byte order, which `unpackSodIndex` reads. Throws for an index with
 * changed policies, which must be compiled first.
 */
export function packSodIndex({ catalogue, compiled, overlay }: SodIndex): Uint8Array {
  if (overlay !== null) throw new Error('An index with changed policies has no packed form');
  return joinSections([
    ...textSections(catalogue.numbers.ids),
    ...textSections(catalogue.names),
    ...bundleSections(catalogue.accessProfiles),
    ...bundleSections(catalogue.roles),
    ...textSections(compiled.ids),
    ...textSections(compiled.names),
    compiled.levels,
    compiled.atLeast,
    compiled.kOfN,
    ...textSections(compiled.sideNames),
    compiled.sideStarts,
    ...rowSections(compiled.sides),
  ]);
}

/**
 * Makes the index of a pack; null for bytes that are not a pack of this version and byte order. The index keeps reading the
 * bytes, which must not change. They are checked for reads out of bounds only: a digest must show that they are intact.
 */
export function unpackSodIndex(bytes: Uint8Array): SodIndex | null {
  return runToEnd(unpackSodIndexInSteps(bytes));
}

/** What `unpackSodIndex` does, with a pause after each few milliseconds of work. */
export function* unpackSodIndexInSteps(bytes: Uint8Array): Steps<SodIndex | null> {
  const budget = createWorkBudget(COMPILE_STEP_WORK);
  const reader = createPackReader(bytes);
  const catalogue = readCatalogue(reader);
  yield;
  const parts = readPolicies(reader, idCount(catalogue.numbers.ids));
  if (!reader.isSound || reader.next !== reader.sections.length) return null;
  yield;
  const compiled = yield* createSodPolicyTable(parts, { catalogue, budget });
  return { catalogue, compiled, overlay: null, policyCount: compiled.levels.length, changedPolicies: 0 };
}

const bundleSections = ({ numbers, entitlements }: SodBundles) => [
  ...textSections(numbers.ids),
  ...rowSections(entitlements),
];

function readCatalogue(reader: PackReader): SodCatalogue {
  const ids = readTexts(reader, null);
  const count = idCount(ids);
  const names = readTexts(reader, count);
  const accessProfiles = readBundles(reader, count);
  return createSodCatalogue({ numbers: numbersOf(ids), names, accessProfiles, roles: readBundles(reader, count) });
}

function readBundles(reader: PackReader, entitlementCount: number): SodBundles {
  const ids = readTexts(reader, null);
  return {
    numbers: numbersOf(ids),
    entitlements: readRows(reader, { rowCount: idCount(ids), valueEnd: entitlementCount }),
  };
}

function readPolicies(reader: PackReader, entitlementCount: number): SodPolicyTableParts {
  const ids = readTexts(reader, null);
  const count = idCount(ids);
  const names = readTexts(reader, count);
  const levels = readBytes(reader);
  const atLeast = readBytes(reader);
  const kOfN = readBytes(reader);
  if ([levels, atLeast, kOfN].some(({ length }) => length !== count)) reader.isSound = false;
  if (levels.some((level) => level >= SOD_POLICY_LEVELS.length)) reader.isSound = false;
  const sideNames = readTexts(reader, null);
  const rowCount = idCount(sideNames);
  const sideStarts = readStarts(reader, { rowCount: count, end: rowCount });
  const sides = readRows(reader, { rowCount, valueEnd: entitlementCount });
  return { ids, names, levels, atLeast, kOfN, sideNames, sideStarts, sides };
}

const numbersOf = (ids: SodPolicyTableParts['ids']) => ({ ids, known: new Map<string, number>() });
