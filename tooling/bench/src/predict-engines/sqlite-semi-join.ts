import type { World } from '../world/create-world.ts';
import type { AnswerRow, PredictEngine } from './engine.ts';
import { GAINED, openSqliteWorld } from './open-sqlite-world.ts';

/** Our algorithm in SQL with a forced plan: from the gained entitlements to the opposite sides of their policies. */
export function createSqliteSemiJoin(world: World): PredictEngine {
  const { database, questions } = openSqliteWorld(world);
  const statement = database
    .prepare<unknown[], AnswerRow>(`
      WITH ${GAINED},
      caused AS MATERIALIZED (
        SELECT DISTINCT item.policy
        FROM gained CROSS JOIN item ON item.entitlement = gained.entitlement
        WHERE EXISTS (
          SELECT 1 FROM item AS other
          WHERE other.policy = item.policy AND other.side = 1 - item.side AND (
            other.entitlement IN (SELECT entitlement FROM gained) OR EXISTS (
              SELECT 1 FROM held WHERE held.identity = :identity AND held.entitlement = other.entitlement))))
      SELECT policy.id, policy.name, policy.level, item.side, entitlement.id, entitlement.name, EXISTS (
        SELECT 1 FROM held WHERE held.identity = :identity AND held.entitlement = item.entitlement) AS existing
      FROM caused
      CROSS JOIN policy ON policy.number = caused.policy
      CROSS JOIN item ON item.policy = caused.policy
      CROSS JOIN entitlement ON entitlement.number = item.entitlement
      WHERE existing OR item.entitlement IN (SELECT entitlement FROM gained)
      ORDER BY caused.policy, item.side, item.entitlement`)
    .raw();
  const answer = (question: number): readonly AnswerRow[] => statement.all(questions[question]);
  return { name: 'SQLite, semi-join planned by hand', answer, rows: answer, close: () => database.close() };
}
