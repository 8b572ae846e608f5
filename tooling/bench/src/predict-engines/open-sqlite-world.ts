import Database from 'better-sqlite3';
import type { World } from '../world/create-world.ts';

/** The parameters of a question: up to five requested entitlements, padded with null. */
export interface BoundQuestion {
  readonly a: number | null;
  readonly b: number | null;
  readonly c: number | null;
  readonly d: number | null;
  readonly e: number | null;
  readonly identity: number;
}

export interface SqliteWorld {
  readonly database: Database.Database;
  readonly questions: readonly BoundQuestion[];
}

/** Loads a world into an in-memory database with integer ids and the indexes that the statements need. */
export function openSqliteWorld(world: World): SqliteWorld {
  const database = new Database(':memory:');
  database.exec(`
    CREATE TABLE entitlement (number INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL);
    CREATE TABLE policy (number INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, level TEXT NOT NULL);
    CREATE TABLE item (policy INTEGER, side INTEGER, entitlement INTEGER, PRIMARY KEY (policy, side, entitlement)) WITHOUT ROWID;
    CREATE INDEX item_by_entitlement ON item (entitlement, policy, side);
    CREATE TABLE held (identity INTEGER, entitlement INTEGER, PRIMARY KEY (identity, entitlement)) WITHOUT ROWID;
  `);
  const numbers = new Map(world.catalogue.entitlements.map(({ id }, number) => [id, number]));
  const numberOf = ({ id }: { readonly id: string }) => numbers.get(id) ?? null;
  database.transaction(() => fill(database, world, numberOf))();
  database.exec('ANALYZE');
  const questions = world.questions.map(({ identity, accessRefs }) => {
    const [a = null, b = null, c = null, d = null, e = null] = accessRefs.map(numberOf);
    return { a, b, c, d, e, identity };
  });
  return { database, questions };
}

/** Defines the table `gained`: requested entitlements that the identity does not hold. */
export const GAINED = `
  requested (entitlement) AS (VALUES (:a), (:b), (:c), (:d), (:e)),
  gained AS MATERIALIZED (
    SELECT entitlement FROM requested
    WHERE entitlement IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM held WHERE held.identity = :identity AND held.entitlement = requested.entitlement))`;

function fill(
  database: Database.Database,
  world: World,
  numberOf: (item: { readonly id: string }) => number | null,
): void {
  const addEntitlement = database.prepare('INSERT INTO entitlement VALUES (?, ?, ?)');
  for (const [number, { id, name }] of world.catalogue.entitlements.entries()) addEntitlement.run(number, id, name);
  const addPolicy = database.prepare('INSERT INTO policy VALUES (?, ?, ?, ?)');
  const addItem = database.prepare('INSERT INTO item VALUES (?, ?, ?)');
  for (const [number, { id, name, level, conflictingAccessCriteria: criteria }] of world.policies.entries()) {
    addPolicy.run(number, id, name, level);
    for (const item of criteria.leftCriteria.criteriaList) addItem.run(number, 0, numberOf(item));
    for (const item of criteria.rightCriteria.criteriaList) addItem.run(number, 1, numberOf(item));
  }
  const addHeld = database.prepare('INSERT INTO held VALUES (?, ?)');
  for (const [identity, refs] of world.held.entries()) for (const ref of refs) addHeld.run(identity, numberOf(ref));
}
