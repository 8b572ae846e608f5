import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { applyPatch, PATCH_COPIED_NODES_MAX, parsePatch } from '@access-admin/domain';
import type { Campaign, CampaignRun, Outcome } from '../campaign.ts';
import { createDice } from './dice.ts';
import { naivePatch, patchSuite, textOf, toTree } from './domain-oracles.ts';
import { drawPatchCase, type PatchCase } from './random-patch.ts';

type Patched = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** What is under test. */
type Engine = (document: unknown, operations: readonly unknown[]) => Patched;

/** The patch engine against the public suite and a plain reading of RFC 6902. */
export const p2: Campaign = {
  id: 'P2',
  title: 'patches against the public RFC 6902 suite and a plain reading of it',
  unit: 'cases',
  full: 1_000_000,
  short: 50_000,
  // Patches know no database.
  engines: ['sqlite'],
  run: async (run) => {
    const { examples, ...counts } = await compare(run, product);
    return { counts, broken: examples };
  },
  control,
};

const CASES_BETWEEN_PAUSES = 2_000;
const EXAMPLES_MAX = 3;

interface Comparison {
  readonly cases: number;
  readonly applied: number;
  readonly refused: number;
  readonly suite: number;
  readonly differences: number;
  /** The first few differences. */
  readonly examples: readonly string[];
}

async function compare({ seed, count, say, signal }: CampaignRun, engine: Engine): Promise<Comparison> {
  const dice = createDice(seed);
  const seen = { cases: 0, applied: 0, refused: 0, suite: 0, differences: 0 };
  const examples: string[] = [];
  const judge = (faults: readonly string[], tested: unknown) => {
    seen.differences += faults.length;
    if (examples.length < EXAMPLES_MAX) examples.push(...faults.map((fault) => `${fault}: ${JSON.stringify(tested)}`));
  };
  for (const one of patchSuite) {
    seen.suite++;
    const { doc, patch, error, expected = doc } = one;
    const wanted = error === undefined ? textOf(toTree(expected)) : null;
    judge(
      faultsOf({ document: doc, operations: patch }, engine, (text, ok) => (ok ? text : null) === wanted),
      one,
    );
  }
  while (seen.cases < count) {
    const drawn = drawPatchCase(dice, (document, operation) => valueOr(product(document, [operation]), document));
    const expected = expectedOf(drawn);
    seen[expected.ok ? 'applied' : 'refused']++;
    judge(
      faultsOf(drawn, engine, (text, ok) => ok === expected.ok && text === expected.text),
      drawn,
    );
    if (++seen.cases % CASES_BETWEEN_PAUSES === 0) await setImmediate();
    if (seen.cases % 100_000 === 0) say(`${seen.cases} cases, ${seen.differences} differences`);
    signal.throwIfAborted();
  }
  return { ...seen, examples };
}

function expectedOf({ document, operations }: PatchCase): { readonly ok: boolean; readonly text: string } {
  const outcome = naivePatch(toTree(document), operations, PATCH_COPIED_NODES_MAX);
  return 'error' in outcome ? { ok: false, text: outcome.error } : { ok: true, text: textOf(outcome.tree) };
}

const valueOr = (patched: Patched, otherwise: unknown): unknown => (patched.ok ? patched.value : otherwise);

interface Tested {
  readonly document: unknown;
  readonly operations: readonly unknown[];
}

function faultsOf(
  { document, operations }: Tested,
  engine: Engine,
  isExpected: (text: string, ok: boolean) => boolean,
): readonly string[] {
  const faults: string[] = [];
  const before = JSON.stringify([document, operations]);
  const patched = engine(document, operations);
  if (!isExpected(patched.ok ? textOf(toTree(patched.value)) : patched.reason, patched.ok))
    faults.push('another outcome');
  if (JSON.stringify([document, operations]) !== before) faults.push('the document or the patch changed');
  if (cleanPrototypes()) faults.push('a prototype changed');
  return faults;
}

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype];
const OWN_KEYS = PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype));

/** Whether any prototype had changed; takes off what it had got, so that each case starts afresh. */
function cleanPrototypes(): boolean {
  let changed = false;
  for (const [at, prototype] of PROTOTYPES.entries()) {
    const known = OWN_KEYS[at] ?? [];
    const keys = Reflect.ownKeys(prototype);
    if (keys.length === known.length && isDeepStrictEqual(keys, known)) continue;
    changed = true;
    for (const key of keys) if (!known.includes(key)) Reflect.deleteProperty(prototype, key);
  }
  return changed;
}

const product: Engine = (document, operations) => {
  const patch = parsePatch(operations);
  const result = patch.ok ? applyPatch(document, patch.value, { isAllowed: () => true }) : patch;
  return result.ok ? result : { ok: false, reason: result.failure.type };
};

/** Wrong engines, each of which must be seen. */
const MUTANTS: Readonly<Record<string, Engine>> = {
  'keeps what came before the failure': (document, operations) => {
    let value = document;
    for (const operation of operations) value = valueOr(product(value, [operation]), value);
    return { ok: true, value };
  },
  'writes into the document': (document, operations) => {
    const patched = product(document, operations);
    if (Array.isArray(document)) document.push('written');
    return patched;
  },
  'follows __proto__': (document, operations) => {
    if (JSON.stringify(operations).includes('/__proto__/')) Reflect.set(Object.prototype, 'polluted', true);
    return product(document, operations);
  },
};

const CONTROL_CASES = 5_000;

async function control(run: CampaignRun): Promise<Outcome> {
  const seen: string[] = [];
  for (const [name, mutant] of Object.entries(MUTANTS)) {
    const { differences } = await compare({ ...run, count: Math.min(run.count, CONTROL_CASES) }, mutant);
    if (differences > 0) seen.push(`one that ${name}: ${differences} differences`);
  }
  const mutants = Object.keys(MUTANTS).length;
  return { counts: { mutants, seen: seen.length }, broken: seen.length === mutants ? seen : [] };
}
