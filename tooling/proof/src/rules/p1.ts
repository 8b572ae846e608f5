import { setImmediate } from 'node:timers/promises';
import {
  changePolicies,
  compileSodIndex,
  concludeCheck,
  expandAccess,
  packSodIndex,
  predictJson,
  type SodIndex,
  unpackSodIndex,
} from '@access-admin/domain';
import type { Campaign, CampaignRun, Outcome } from '../campaign.ts';
import { type AnswerInTime, answerInTime, compareInTime, MUTANTS_IN_TIME } from './answers-in-time.ts';
import { createRandomSodWorld, predictByOracle, type SodWorld } from './domain-oracles.ts';

type Question = SodWorld['questions'][number];

/** What is under test: the text of an answer, as predict gives it and as a check does. */
interface Answers {
  predict(index: SodIndex, question: Question): string;
  check(index: SodIndex, question: Question): string;
  /** What holds for a time only. */
  readonly inTime: AnswerInTime;
}

/** Predictions and checks against the rule in plain words. */
export const p1: Campaign = {
  id: 'P1',
  title: 'predictions and checks against brute force over the rules',
  unit: 'cases',
  full: 1_000_000,
  short: 50_000,
  // The rules know no database.
  engines: ['sqlite'],
  run: async (run) => {
    const { examples, ...counts } = await compare(run, product);
    return { counts, broken: examples };
  },
  control,
};

interface Comparison {
  readonly cases: number;
  readonly worlds: number;
  readonly violations: number;
  readonly preexisting: number;
  /** Violations of k-of-n policies, of all of them. */
  readonly kOfN: number;
  /** Questions about access that holds for a time, beside the cases, and their violations. */
  readonly inTime: number;
  readonly violationsInTime: number;
  readonly differences: number;
  /** The first few differences. */
  readonly examples: readonly string[];
}

// Brute force over all moments takes ten times as long.
const WORLDS_IN_TIME = 10;
const CASES_BETWEEN_PAUSES = 5_000;
const EXAMPLES_MAX = 3;

async function compare({ seed, count, say, signal }: CampaignRun, answers: Answers): Promise<Comparison> {
  const examples: string[] = [];
  const seen = {
    ...{ cases: 0, worlds: 0, violations: 0, preexisting: 0, kOfN: 0 },
    ...{ inTime: 0, violationsInTime: 0, differences: 0 },
  };
  const differs = (text: string) => {
    if (++seen.differences <= EXAMPLES_MAX) examples.push(text);
  };
  const firstSeed = Math.imul(seed, 0x85ebca6b) >>> 0;
  while (seen.cases < count) {
    const worldSeed = (firstSeed + seen.worlds++) >>> 0;
    const world = createRandomSodWorld(worldSeed);
    const indexes = indexesOf(world, worldSeed);
    if (seen.worlds % WORLDS_IN_TIME === 0) {
      const { cases, violations, differing } = compareInTime(worldSeed, indexes, answers.inTime);
      seen.inTime += cases;
      seen.violationsInTime += violations;
      differing.forEach(differs);
    }
    for (const question of world.questions.slice(0, count - seen.cases)) {
      const contexts = predictByOracle(world, question.held, question.requested);
      seen.violations += contexts.length;
      seen.preexisting += contexts.filter(({ preexisting }) => preexisting).length;
      seen.kOfN += contexts.filter(({ conflictingAccessCriteria: conflict }) => 'criteria' in conflict).length;
      const expected = JSON.stringify({ violationContexts: contexts });
      for (const [name, index] of Object.entries(indexes)) {
        const where = `world ${worldSeed}, ${name}`;
        if (answers.predict(index, question) !== expected) differs(`${where}: predict differs`);
        if (answers.check(index, question) !== expected) differs(`${where}: the check differs`);
      }
      if (++seen.cases % CASES_BETWEEN_PAUSES === 0) await setImmediate();
      if (seen.cases % 100_000 === 0) say(`${seen.cases} cases, ${seen.differences} differences`);
      signal.throwIfAborted();
    }
  }
  return { ...seen, examples };
}

/** The rulebook in every form in which the service comes by it. */
function indexesOf({ policies, catalogue }: SodWorld, seed: number): Readonly<Record<string, SodIndex>> {
  const compiled = compileSodIndex(policies, catalogue);
  // Of other worlds: policies of the same ids with other sides.
  const [before, meanwhile] = [createRandomSodWorld(~seed).policies, createRandomSodWorld(seed ^ 0x5555_5555).policies];
  const kept = new Set(policies.map(({ id }) => id));
  const deletes = [...before, ...meanwhile].map(({ id }) => id).filter((id) => !kept.has(id));
  const old = unpack(compileSodIndex(before, catalogue));
  const changed = changePolicies(changePolicies(old, { upserts: meanwhile, deletes: [] }), {
    upserts: policies,
    deletes,
  });
  return { compiled, unpacked: unpack(compiled), changed };
}

function unpack(index: SodIndex): SodIndex {
  const unpacked = unpackSodIndex(packSodIndex(index));
  if (unpacked === null) throw new Error('a packed rulebook is not unpacked');
  return unpacked;
}

const product: Answers = {
  predict: (index, { held, requested }) => {
    const answer = predictJson(index, expandAccess(index, held).entitlements, requested);
    return answer.ok ? [...answer.value].join('') : answer.failure.type;
  },
  check: (index, { held, requested }) => {
    const { state, result } = concludeCheck({
      index,
      held: expandAccess(index, held).entitlements,
      check: { identityId: 'i-1', accessRefs: requested, clientMetadata: null },
    });
    const { violationContexts } = result;
    return state === 'SUCCESS' ? JSON.stringify({ violationContexts }) : `${result.message}`;
  },
  inTime: answerInTime,
};

/** Wrong answers, each of which must be seen. */
const MUTANTS: Readonly<Record<string, Answers>> = {
  'ignores what was violated before': {
    ...product,
    predict: (index, question) => product.predict(index, question).replaceAll('ting":true', 'ting":false'),
  },
  'takes held access for new': {
    ...product,
    check: (index, { held, requested }) => product.check(index, { held: [], requested: [...held, ...requested] }),
  },
  'counts only what is asked for': {
    ...product,
    predict: (index, { requested }) => product.predict(index, { held: [], requested }),
  },
  'overlooks k-of-n policies': {
    ...product,
    predict: ({ compiled, ...index }, question) =>
      product.predict({ ...index, compiled: { ...compiled, wide: null } }, question),
  },
  'forgets changes of the rulebook': {
    ...product,
    predict: (index, question) => product.predict({ ...index, overlay: null }, question),
  },
};

const CONTROL_CASES = 5_000;
const CONTROL_WORLDS_IN_TIME = 1_000;

async function control(run: CampaignRun): Promise<Outcome> {
  const seen: string[] = [];
  for (const [name, mutant] of Object.entries(MUTANTS)) {
    const { differences } = await compare({ ...run, count: Math.min(run.count, CONTROL_CASES) }, mutant);
    if (differences > 0) seen.push(`one that ${name}: ${differences} differences`);
  }
  for (const [name, mutant] of Object.entries(MUTANTS_IN_TIME)) {
    const seeds = Array.from({ length: CONTROL_WORLDS_IN_TIME }, (_, at) => run.seed + at);
    const isSeen = seeds.some((seed) => {
      const indexes = indexesOf(createRandomSodWorld(seed), seed);
      return compareInTime(seed, indexes, mutant).differing.length > 0;
    });
    if (isSeen) seen.push(`one that ${name}`);
  }
  const mutants = Object.keys(MUTANTS).length + Object.keys(MUTANTS_IN_TIME).length;
  return { counts: { mutants, seen: seen.length }, broken: seen.length === mutants ? seen : [] };
}
