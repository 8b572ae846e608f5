import type { SodCriteria } from '@access-admin/domain';
import type { World, WorldPolicy } from '../world/create-world.ts';
import type { AnswerRow, PredictEngine } from './engine.ts';

/** Checks every policy with plain sets of ids. */
export function createNaiveScan(world: World): PredictEngine {
  const namesById = new Map(world.catalogue.entitlements.map(({ id, name }) => [id, name]));
  const held = world.held.map((refs) => new Set(refs.map(({ id }) => id)));

  const answer = (question: number): readonly AnswerRow[] => {
    const { identity = 0, accessRefs = [] } = world.questions[question] ?? {};
    const before = held[identity] ?? new Set();
    const after = new Set([...before, ...accessRefs.map(({ id }) => id)]);
    return world.policies.flatMap((policy) => evaluate(policy, before, after));
  };

  const evaluate = (policy: WorldPolicy, before: ReadonlySet<string>, after: ReadonlySet<string>): AnswerRow[] => {
    const itemsOf = ({ criteriaList }: SodCriteria) => criteriaList.filter(({ id }) => after.has(id));
    const left = itemsOf(policy.conflictingAccessCriteria.leftCriteria);
    const right = itemsOf(policy.conflictingAccessCriteria.rightCriteria);
    if (left.length === 0 || right.length === 0) return [];
    if ([...left, ...right].every(({ id }) => before.has(id))) return [];
    return [left, right].flatMap((items, side) =>
      items
        .map(({ id }) => id)
        .sort()
        .map((id): AnswerRow => {
          const existing = before.has(id) ? 1 : 0;
          return [policy.id, policy.name, policy.level, side, id, namesById.get(id) ?? '', existing];
        }),
    );
  };

  return { name: 'naive scan with `Set`', answer, rows: answer, close: () => {} };
}
