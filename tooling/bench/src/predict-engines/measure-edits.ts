import { deepStrictEqual } from 'node:assert/strict';
import { changePolicies, compileSodIndex, type SodCriteria, type SodIndex, type SodPolicy } from '@access-admin/domain';
import { type Figure, spreadText, type Table } from '../measure/report.ts';
import { measureInterleaved, ratioOf, spreadOf } from '../measure/rounds.ts';
import { createWorld, type World } from '../world/create-world.ts';
import { createOwnEngine } from './own-engine.ts';

const POLICY_COUNTS = [10_000, 100_000];
/** Successive edits before the sequence starts again from the compiled rulebook. */
const EDITS = 16;
/** The number of changes that the service collects before it compiles the rulebook again. */
const changedBefore = (policies: number) => Math.max(50, policies * 0.005);
const ROUND_MS = 200;
const GOAL_SHARE = 0.01;

interface MeasuredEdits {
  readonly policies: number;
  readonly editMicros: readonly number[];
  /** The same on an index that already has that number of changes. */
  readonly lateEditMicros: readonly number[];
  readonly rebuildMicros: readonly number[];
}

/** Time of one policy change in the index: as a delta, and by compiling the whole rulebook. */
export async function measureEdits(seed: number): Promise<readonly MeasuredEdits[]> {
  const measured: MeasuredEdits[] = [];
  for (const policies of POLICY_COUNTS) measured.push(await measure(seed, policies));
  return measured;
}

async function measure(seed: number, policies: number): Promise<MeasuredEdits> {
  const world = createWorld({ seed, entitlements: 50_000, policies, identities: 200, questions: EDITS });
  const edits = world.questions.map((_, question) => editFor(world, question));
  const compiled = compileSodIndex(world.policies, world.catalogue);
  const earlier = world.policies
    .slice(-changedBefore(policies))
    .map((policy) => ({ ...policy, name: `${policy.name}, changed` }));
  const changed = changePolicies(compiled, { upserts: earlier, deletes: [] });
  assertSameAnswers(world, edits, compiled);
  assertSameAnswers(world, edits, changed);
  const [editMicros = [], lateEditMicros = [], rebuildMicros = []] = await measureInterleaved(
    [editsUpon(compiled, edits), editsUpon(changed, edits), () => compileSodIndex(world.policies, world.catalogue)],
    ROUND_MS,
  );
  return { policies, editMicros, lateEditMicros, rebuildMicros };
}

function editsUpon(first: SodIndex, edits: readonly SodPolicy[]): (turn: number) => void {
  let index = first;
  return (turn) => {
    if (turn % EDITS === 0) index = first;
    index = withEdits(index, edits.slice(turn % EDITS, (turn % EDITS) + 1));
  };
}

const withEdits = (index: SodIndex, edits: readonly SodPolicy[]): SodIndex =>
  edits.reduce((before, policy) => changePolicies(before, { upserts: [policy], deletes: [] }), index);

/** Adds an item to each side of a policy so that the question violates it. */
function editFor(world: World, question: number): SodPolicy {
  const policy = world.policies[question * 7];
  const asked = world.questions[question];
  if (policy === undefined || asked === undefined) throw new Error('The world is too small.');
  const { leftCriteria, rightCriteria } = policy.conflictingAccessCriteria;
  return {
    ...policy,
    conflictingAccessCriteria: {
      leftCriteria: withItem(leftCriteria, asked.accessRefs[0]?.id),
      rightCriteria: withItem(rightCriteria, world.held[asked.identity]?.[0]?.id),
    },
  };
}

const withItem = (criteria: SodCriteria, id = ''): SodCriteria => ({
  ...criteria,
  criteriaList: [...criteria.criteriaList.filter((item) => item.id !== id), { type: 'ENTITLEMENT', id }],
});

function assertSameAnswers(world: World, edits: readonly SodPolicy[], first: SodIndex): void {
  const editsById = new Map(edits.map((policy) => [policy.id, policy]));
  const policies = world.policies.map((policy) => editsById.get(policy.id) ?? policy);
  const answersOf = (index: SodIndex) => {
    const { rows } = createOwnEngine(world, index);
    return edits.map((_, question) => rows(question));
  };
  const edited = answersOf(withEdits(first, edits));
  const rebuilt = answersOf(compileSodIndex(policies, world.catalogue));
  deepStrictEqual(edited, rebuilt, 'a changed index gives the same answers as a newly compiled one');
  if (answersOf(first).flat().length >= edited.flat().length) throw new Error('The edits changed nothing.');
}

export const editTable = (measured: readonly MeasuredEdits[]): Table => ({
  header: ['µs, median of 5 (range)', 'one changed policy', 'after half a percent were changed', 'rulebook recompiled'],
  rows: measured.map(({ policies, editMicros, lateEditMicros, rebuildMicros }) => [
    `${policies.toLocaleString('en-US')} policies`,
    ...[editMicros, lateEditMicros, rebuildMicros].map((micros) => spreadText(spreadOf(micros))),
  ]),
});

export const editFigures = (measured: readonly MeasuredEdits[]): readonly Figure[] =>
  measured.flatMap(({ policies, editMicros, lateEditMicros, rebuildMicros }) => {
    const figureOf = (what: string, micros: readonly number[]): Figure => ({
      name: `${what}, share of a rebuild, ${policies.toLocaleString('en-US')} policies`,
      spread: ratioOf(micros, rebuildMicros),
      goal: GOAL_SHARE,
      less: true,
    });
    return [figureOf('policy edit', editMicros), figureOf('policy edit upon half a percent of others', lateEditMicros)];
  });
