import type { World } from '../world/create-world.ts';
import type { AnswerRow, PredictEngine } from './engine.ts';
import { GAINED, openSqliteWorld } from './open-sqlite-world.ts';

const ACCESS = `
  access (entitlement, existing) AS (
    SELECT entitlement, 1 FROM held WHERE identity = :identity UNION ALL SELECT entitlement, 0 FROM gained)`;

/** The straightforward join: all access with all items, grouped by policy; items are read for violated policies only. */
export function createSqliteJoin(world: World): PredictEngine {
  const { database, questions } = openSqliteWorld(world);
  const findViolated = database
    .prepare<unknown[], number>(`
      WITH ${GAINED}, ${ACCESS}
      SELECT item.policy
      FROM access CROSS JOIN item ON item.entitlement = access.entitlement
      GROUP BY item.policy
      HAVING min(item.side) < max(item.side) AND min(access.existing) = 0
      ORDER BY item.policy`)
    .pluck();
  const findItems = database
    .prepare<unknown[], AnswerRow>(`
      WITH ${GAINED}, ${ACCESS}
      SELECT policy.id, policy.name, policy.level, item.side, entitlement.id, entitlement.name, access.existing
      FROM item
      JOIN policy ON policy.number = item.policy
      JOIN access ON access.entitlement = item.entitlement
      JOIN entitlement ON entitlement.number = item.entitlement
      WHERE item.policy = :policy
      ORDER BY item.side, item.entitlement`)
    .raw();
  const answer = (question: number): readonly AnswerRow[] => {
    const bound = questions[question];
    return findViolated.all(bound).flatMap((policy) => findItems.all({ ...bound, policy }));
  };
  return { name: 'SQLite, prepared join', answer, rows: answer, close: () => database.close() };
}
