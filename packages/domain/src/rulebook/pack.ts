import { idCount } from '../collections/id-dictionary.ts';
import type { PackReader } from '../collections/sections.ts';
import {
  createPackReader,
  joinSections,
  readBytes,
  readNumbers,
  readRows,
  readStarts,
  readTexts,
  rowSections,
  textSections,
} from '../collections/sections.ts';
import { SOD_POLICY_LEVELS } from '../policy/model.ts';
import { createWorkBudget, runToEnd, type Steps } from '../steps/work-budget.ts';
import { createSodCatalogue, type SodBundles, type SodCatalogue } from './catalogue.ts';
import type { KOfNPolicyParts } from './k-of-n-policies.ts';
import { createSodPolicyTable, type SodPolicyTableParts } from './policy-table.ts';
import type { SodIndex } from './sod-index.ts';

/**
 * The bytes that `unpackSodIndex` makes the index of again, in this machine's byte order. Throws for an index with
 * changed policies: compile first.
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
    ...rowSections(compiled.sides),
    ...wideSections(compiled.wide ?? NO_WIDE_POLICIES),
  ]);
}

/**
 * The index of a pack; null for anything that is not a pack of this version and byte order. The index goes on reading
 * the bytes, which must not change any more. They are checked as far as it takes to read nothing but them: only a digest
 * beside them tells whether they are those that were packed.
 */
export function unpackSodIndex(bytes: Uint8Array): SodIndex | null {
  return runToEnd(unpackSodIndexInSteps(bytes));
}

// The work of one to two milliseconds.
const STEP_WORK = 0x2000;

/** What `unpackSodIndex` does, with a pause after each few milliseconds of work. */
export function* unpackSodIndexInSteps(bytes: Uint8Array): Steps<SodIndex | null> {
  const budget = createWorkBudget(STEP_WORK);
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

const NO_WIDE_POLICIES: KOfNPolicyParts = {
  numbers: new Uint32Array(),
  atLeast: new Uint8Array(),
  sideStarts: new Uint32Array(1),
  sideNames: { starts: new Uint32Array(1), bytes: new Uint8Array() },
  sides: { starts: new Uint32Array(1), values: new Uint32Array() },
};

const wideSections = ({ numbers, atLeast, sideStarts, sideNames, sides }: KOfNPolicyParts) => [
  numbers,
  atLeast,
  ...textSections(sideNames),
  sideStarts,
  ...rowSections(sides),
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
  if (levels.length !== count || levels.some((level) => level >= SOD_POLICY_LEVELS.length)) reader.isSound = false;
  const sides = readRows(reader, { rowCount: count * 2, valueEnd: entitlementCount });
  return { ids, names, levels, sides, wide: readWidePolicies(reader, { policyCount: count, entitlementCount }) };
}

function readWidePolicies(
  reader: PackReader,
  { policyCount, entitlementCount }: { readonly policyCount: number; readonly entitlementCount: number },
): KOfNPolicyParts {
  const numbers = readNumbers(reader);
  const atLeast = readBytes(reader);
  // Ascending, or a policy is not found at its number again.
  const areNumbers = numbers.every(
    (number, at) => number < policyCount && (at === 0 || number > (numbers[at - 1] ?? 0)),
  );
  if (!areNumbers || atLeast.length !== numbers.length) reader.isSound = false;
  const sideNames = readTexts(reader, null);
  const rowCount = idCount(sideNames);
  const sideStarts = readStarts(reader, { rowCount: numbers.length, end: rowCount });
  return { numbers, atLeast, sideStarts, sideNames, sides: readRows(reader, { rowCount, valueEnd: entitlementCount }) };
}

const numbersOf = (ids: SodPolicyTableParts['ids']) => ({ ids, known: new Map<string, number>() });
