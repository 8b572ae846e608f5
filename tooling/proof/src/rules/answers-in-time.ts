import { concludeTemporalCheck, expandAssignments, predictTemporalJson, type SodIndex } from '@access-admin/domain';
import { createRandomTimedWorld, predictOverTimeByOracle, type TimedSodQuestion } from './domain-oracles.ts';

/** What is under test: the texts of an answer about access that holds for a time, of a prediction and of a check. */
export type AnswerInTime = (index: SodIndex, question: TimedSodQuestion) => readonly string[];

/** What came of some questions. */
export interface ComparisonInTime {
  readonly cases: number;
  readonly violations: number;
  /** Where an answer differs. */
  readonly differing: readonly string[];
}

/** The questions of one world, asked of its rulebook in every form, against brute force over all moments. */
export function compareInTime(
  seed: number,
  indexes: Readonly<Record<string, SodIndex>>,
  answer: AnswerInTime,
): ComparisonInTime {
  const world = createRandomTimedWorld(seed);
  const differing: string[] = [];
  let violations = 0;
  for (const question of world.timedQuestions) {
    const violationContexts = predictOverTimeByOracle(world, question);
    violations += violationContexts.length;
    const expected = JSON.stringify({ violationContexts });
    for (const [name, index] of Object.entries(indexes))
      if (answer(index, question).some((text) => text !== expected))
        differing.push(`world ${seed}, ${name}: an answer in time differs`);
  }
  return { cases: world.timedQuestions.length, violations, differing };
}

export const answerInTime: AnswerInTime = (index, { held, requested, at = null, now }) => {
  const holder = expandAssignments(index, held);
  const nowMs = Date.parse(now);
  const answer = predictTemporalJson(index, holder, { accessRefs: requested, at, nowMs });
  const check = { identityId: 'i-1', accessRefs: requested, clientMetadata: null, at };
  const { conclusion } = concludeTemporalCheck({ index, ...holder, check, nowMs });
  return [
    answer.ok ? [...answer.value].join('') : answer.failure.type,
    JSON.stringify({ violationContexts: conclusion.result.violationContexts }),
  ];
};

const withoutWindows: (refs: TimedSodQuestion['held']) => TimedSodQuestion['held'] = (refs) =>
  refs.map(({ type, id }) => ({ type, id }));

/** Wrong answers, each of which must be seen. */
export const MUTANTS_IN_TIME: Readonly<Record<string, AnswerInTime>> = {
  'takes what is held for a time for held at any time': (index, question) =>
    answerInTime(index, { ...question, held: withoutWindows(question.held) }),
  'takes what is requested for a time for good': (index, question) =>
    answerInTime(index, { ...question, requested: withoutWindows(question.requested) }),
  'looks at this moment alone': (index, question) => answerInTime(index, { at: question.now, ...question }),
  'overlooks the moment that is asked about': (index, { at: _, ...question }) => answerInTime(index, question),
  'ends windows a second late': (index, question) =>
    answerInTime(index, {
      ...question,
      held: question.held.map(({ end, ...ref }) =>
        end === undefined ? ref : { ...ref, end: new Date(Date.parse(end) + 1_000).toISOString() },
      ),
    }),
};
