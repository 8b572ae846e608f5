import { compileSodIndex, expandAccess, type ViolationContext } from '@access-admin/domain';
import type { World } from '../world/create-world.ts';
import type { AnswerRow, PredictEngine } from './engine.ts';
import { predictionText } from './prediction-text.ts';

export function createOwnEngine(world: World, index = compileSodIndex(world.policies, world.catalogue)): PredictEngine {
  const held = world.held.map((refs) => expandAccess(index, refs).entitlements);
  const answer = (question: number): string => {
    const asked = world.questions[question];
    if (asked === undefined) return '';
    const { identity, accessRefs } = asked;
    return predictionText(index, { held: held[identity] ?? new Uint32Array(), timed: null }, accessRefs);
  };
  const contextsOf = (question: number): readonly ViolationContext[] => JSON.parse(answer(question)).violationContexts;
  return { name: 'access-admin', answer, rows: (question) => contextsOf(question).flatMap(rowsOf), close: () => {} };
}

function rowsOf({ policy, conflictingAccessCriteria }: ViolationContext): AnswerRow[] {
  // The policies of a world are two-sided.
  if ('criteria' in conflictingAccessCriteria) throw new Error(`${policy.id} is a k-of-n policy`);
  const { leftCriteria, rightCriteria } = conflictingAccessCriteria;
  return [leftCriteria, rightCriteria].flatMap(({ criteriaList }, side) =>
    criteriaList.map(
      ({ id, name, existing }): AnswerRow => [policy.id, policy.name, policy.level, side, id, name, existing ? 1 : 0],
    ),
  );
}
