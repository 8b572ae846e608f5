import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { AccessRef, Catalogue, SodPolicy, TimedAccessRef, ViolationContext } from '@access-admin/domain';

/** A tiny tenant and what is asked about it. */
export interface SodWorld {
  readonly policies: readonly SodPolicy[];
  readonly catalogue: Catalogue;
  readonly questions: readonly { readonly held: readonly AccessRef[]; readonly requested: readonly AccessRef[] }[];
}

/** A question about access that holds for a time. */
export interface TimedSodQuestion {
  readonly held: readonly TimedAccessRef[];
  readonly requested: readonly TimedAccessRef[];
  readonly at?: string;
  readonly now: string;
}

/** One operation of a patch with all members that any operation has. */
export interface RawOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from: string;
  readonly value: unknown;
}

/** What a plain reading of RFC 6902 comes to: a document, as only `textOf` reads it, or why there is none. */
type NaiveOutcome = { readonly tree: object } | { readonly error: 'IllegalValue' | 'Conflict' | 'LimitExceeded' };

interface SodWorlds {
  createRandomSodWorld(seed: number): SodWorld;
}

interface SodOracle {
  predictByOracle(
    world: Pick<SodWorld, 'policies' | 'catalogue'>,
    held: readonly AccessRef[],
    requested: readonly AccessRef[],
  ): readonly ViolationContext[];
}

interface TimedSodWorlds {
  createRandomTimedWorld(seed: number): SodWorld & { readonly timedQuestions: readonly TimedSodQuestion[] };
}

interface TimedSodOracle {
  predictOverTimeByOracle(
    world: Pick<SodWorld, 'policies' | 'catalogue'>,
    question: TimedSodQuestion,
  ): readonly ViolationContext[];
}

interface PatchOracle {
  toTree(value: unknown): object;
  /** Equal for equal documents. */
  textOf(tree: object): string;
  pointersOf(tree: object): readonly string[];
  naivePatch(document: object, operations: readonly RawOperation[], copiedMax: number): NaiveOutcome;
}

/** A case of the public RFC 6902 suite. One without `expected` and `error` leaves the document as it is. */
interface SuiteCase {
  readonly doc: unknown;
  readonly patch: readonly unknown[];
  readonly expected?: unknown;
  readonly error?: string;
}

// The tests of the domain have these plain readings of the rules: they are no part of what the package exports.
const require = createRequire(import.meta.url);
const domain = require.resolve('@access-admin/domain');
const requireOfDomain = createRequire(domain);
const load = (name: string) => import(new URL(`../test/${name}.ts`, pathToFileURL(domain)).href);

export const { createRandomSodWorld }: SodWorlds = await load('random-sod-world');
export const { predictByOracle }: SodOracle = await load('predict-oracle');
export const { createRandomTimedWorld }: TimedSodWorlds = await load('random-timed-world');
export const { predictOverTimeByOracle }: TimedSodOracle = await load('timed-oracle');
export const { toTree, textOf, pointersOf, naivePatch }: PatchOracle = await load('naive-json-patch');

/** The public suite, without its cases of a member given twice: JSON.parse drops the first. */
export const patchSuite: readonly SuiteCase[] = ['tests.json', 'spec_tests.json']
  .flatMap((file): readonly SuiteCase[] => requireOfDomain(`json-patch-test-suite/${file}`))
  .filter(({ error }) => error?.endsWith("two 'op' members") !== true);
