import { expect, test } from 'vitest';
import { createWorld } from '../world/create-world.ts';
import { createOwnEngine } from './own-engine.ts';
import { createSqliteJoin } from './sqlite-join.ts';

const QUESTIONS = 200;
const SIZE = { seed: 7, entitlements: 400, policies: 60, identities: 50, questions: QUESTIONS };

test('the evaluator and the join give the same answers in a world with many violations', () => {
  const world = createWorld(SIZE);
  const engines = [createOwnEngine(world), createSqliteJoin(world)];
  const answers = engines.map(({ rows }) => Array.from({ length: QUESTIONS }, (_, question) => rows(question)));
  for (const engine of engines) engine.close();
  expect(answers[0]?.filter((rows) => rows.length > 0).length).toBeGreaterThan(QUESTIONS / 2);
  for (const answer of answers) expect(answer).toEqual(answers[0]);
});

test('the same seed gives the same world, another seed a different one', () => {
  expect(createWorld(SIZE)).toEqual(createWorld(SIZE));
  expect(createWorld({ ...SIZE, seed: 8 })).not.toEqual(createWorld(SIZE));
});
