import { atDepth, seeds } from '@access-admin/test-depth';
import { describe, expect, test } from 'vitest';
import { releaseEvaluator, takeEvaluator } from '../src/evaluation/evaluator.ts';
import {
  accessStatesOf,
  compileSodIndex,
  createWorkBudget,
  expandAssignments,
  predict,
  predictJson,
  predictToExplain,
  remediate,
  runToEnd,
  type SodIndex,
  type Steps,
} from '../src/index.ts';
import { createRandom } from './random-sod-world.ts';
import { createRandomTimedWorld } from './random-timed-world.ts';
import type { TimedSodQuestion } from './timed-oracle.ts';

const WORLDS = 2_000;

interface Asked {
  readonly index: SodIndex;
  readonly question: TimedSodQuestion;
  /** The work between two pauses. */
  readonly limit: number;
}

/** Everything that is asked of an index in steps, each with its answer as text. */
const FORMS = {
  *json(asked: Asked): Steps<string> {
    const { budget, holder, request } = partsOf(asked);
    const answer = predictJson(asked.index, holder, { ...request, budget, coverage: null });
    if (!answer.ok || typeof answer.value === 'string') return JSON.stringify(answer);
    yield* answer.value.steps;
    return JSON.stringify({ ok: true, value: answer.value.sink.text });
  },
  *toExplain(asked: Asked): Steps<string> {
    const { budget, holder, request } = partsOf(asked);
    const answer = predictToExplain(asked.index, holder, { ...request, includes: [], budget });
    if (!answer.ok) return JSON.stringify(answer);
    const found = yield* answer.value;
    // Here the explanation is read.
    yield;
    const sink = { text: '' };
    yield* found.write(sink, null, null);
    return sink.text;
  },
  *remediation(asked: Asked): Steps<string> {
    const { budget, request } = partsOf(asked);
    const access = { assignments: asked.question.held, requested: request.accessRefs };
    return JSON.stringify(yield* remediate(asked.index, accessStatesOf(access, request), budget));
  },
};

function partsOf({ index, question: { held, requested, at, now }, limit }: Asked) {
  const budget = createWorkBudget(limit);
  const request = { accessRefs: requested, at: at ?? null, nowMs: Date.parse(now) };
  return { budget, holder: expandAssignments(index, held), request };
}

const formsOf = Object.values(FORMS);

describe('questions that share an index', () => {
  test(`get the same answers when their steps interleave, in ${atDepth(WORLDS)} random worlds`, () => {
    const seen = { answers: 0, pauses: 0, abandoned: 0 };
    for (const seed of seeds(WORLDS)) {
      const { policies, catalogue, timedQuestions } = createRandomTimedWorld(seed);
      const index = compileSodIndex(policies, catalogue);
      const below = createRandom(seed);
      const running = timedQuestions.flatMap((question) =>
        formsOf.map((form) => ({
          expected: runToEnd(form({ index, question, limit: Number.POSITIVE_INFINITY })),
          steps: form({ index, question, limit: 1 + below(3) }),
        })),
      );
      while (running.length > 0) {
        const place = below(running.length);
        const chosen = running[place];
        const step = below(10) === 0 ? null : chosen?.steps.next();
        if (step?.done === false) {
          seen.pauses++;
          continue;
        }
        running.splice(place, 1);
        // Some callers leave before the answer is complete.
        if (step === null) seen.abandoned++;
        else {
          seen.answers++;
          expect(step?.value, `seed ${seed}`).toBe(chosen?.expected);
        }
      }
    }
    expect(Math.min(seen.answers, seen.pauses, seen.abandoned)).toBeGreaterThan(atDepth(WORLDS) / 2);
  });

  test(`leave their evaluator to the next one, in ${atDepth(WORLDS)} random worlds`, () => {
    for (const seed of seeds(WORLDS)) {
      const { policies, catalogue, timedQuestions } = createRandomTimedWorld(seed);
      const index = compileSodIndex(policies, catalogue);
      const evaluator = takeEvaluator(index.catalogue);
      releaseEvaluator(evaluator);
      for (const question of timedQuestions) {
        const asked = { index, question, limit: 2 };
        for (const form of formsOf) runToEnd(form(asked));
        const { holder, request } = partsOf(asked);
        predict(index, holder, request);
        const next = takeEvaluator(index.catalogue);
        expect(next, `seed ${seed}`).toBe(evaluator);
        expect(next.slots.every((slot) => slot === 0)).toBe(true);
        releaseEvaluator(next);
      }
    }
  });
});
