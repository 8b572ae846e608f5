import { openSqliteWorld } from '../predict-engines/open-sqlite-world.ts';
import { createWorld, type World } from '../world/create-world.ts';

/** The straightforward join that finds conflicts in held access. */
export interface ConflictJoin {
  readonly world: World;
  /** Finds the violated policies of each identity with their items; returns the microseconds per identity. */
  microsPerIdentity(): number;
  /** The violated policies of an identity, as positions in `world.policies`. */
  violatedOf(identity: number): readonly number[];
  close(): void;
}

/** Opens the join on an in-memory database with integer ids and every index that the statements need. */
export function openConflictJoin(size: {
  readonly seed: number;
  readonly identities: number;
  readonly assignments: number;
  readonly policies: number;
}): ConflictJoin {
  const world = createWorld({ ...size, entitlements: 50_000, questions: 1 });
  const { database } = openSqliteWorld(world);
  const findViolated = database
    .prepare<{ readonly identity: number }, number>(`
      SELECT item.policy
      FROM held CROSS JOIN item ON item.entitlement = held.entitlement
      WHERE held.identity = :identity
      GROUP BY item.policy HAVING min(item.side) < max(item.side) ORDER BY item.policy`)
    .pluck();
  const findItems = database
    .prepare<{ readonly identity: number; readonly policy: number }, readonly unknown[]>(`
      SELECT policy.id, policy.name, policy.level, item.side, entitlement.id, entitlement.name
      FROM item
      JOIN policy ON policy.number = item.policy
      JOIN held ON held.identity = :identity AND held.entitlement = item.entitlement
      JOIN entitlement ON entitlement.number = item.entitlement
      WHERE item.policy = :policy ORDER BY item.side, item.entitlement`)
    .raw();
  return {
    world,
    violatedOf: (identity) => findViolated.all({ identity }),
    microsPerIdentity: () => {
      const start = performance.now();
      for (let identity = 0; identity < size.identities; identity++) {
        for (const policy of findViolated.all({ identity })) findItems.all({ identity, policy });
      }
      return ((performance.now() - start) * 1000) / size.identities;
    },
    close: () => database.close(),
  };
}
