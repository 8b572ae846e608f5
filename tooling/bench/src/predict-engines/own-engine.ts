import { compileSodIndex, expandAccess, predictViolations, type ViolationContext } from '@access-admin/domain';
import type { World } from '../world/create-world.ts';
import type { AnswerRow, PredictEngine } from './engine.ts';

export function createOwnEngine(world: World, index = compileSodIndex(world.policies, world.catalogue)): PredictEngine {
  const held = world.held.map((refs) => expandAccess(index, refs).entitlements);
  const questions = world.questions.map(({ identity, accessRefs }) => ({
    held: held[identity] ?? new Uint32Array(),
    requested: expandAccess(index, accessRefs).entitlements,
  }));
  const answer = (question: number): readonly ViolationContext[] => {
    const asked = questions[question];
    return asked === undefined ? [] : predictViolations(index, asked.held, asked.requested);
  };
  return { name: 'access-admin', answer, rows: (question) => answer(question).flatMap(rowsOf), close: () => {} };
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
