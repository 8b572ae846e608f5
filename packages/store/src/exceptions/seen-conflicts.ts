import { hash } from 'node:crypto';
import { type SeenConflict, seeConflict } from '@access-admin/domain';
import type { Reads } from '../engine/database.ts';
import { readColumns } from '../query/model-tables.ts';
import { type ConflictPolicy, type ConflictScope, findConflicts, readPolicies } from './held-conflicts.ts';

/** A policy and an identity, by their ids. */
export interface ConflictPair {
  readonly policyId: string;
  readonly identityId: string;
}

/** A pair with its policy. */
interface KnownPair<P extends ConflictPair> {
  readonly given: P;
  readonly identityId: string;
  readonly policy: ConflictPolicy;
}

/** The conflicts of pairs as an approver sees them, with the present names of items; none for a pair that has none. */
export async function findSeenConflicts<P extends ConflictPair>(
  reads: Reads,
  scope: ConflictScope,
  pairs: readonly P[],
): Promise<ReadonlyMap<P, SeenConflict>> {
  const policies = await readPolicies(reads, scope, new Set(pairs.map(({ policyId }) => policyId)));
  const known: KnownPair<P>[] = [];
  for (const given of pairs) {
    const policy = policies.get(given.policyId);
    if (policy !== undefined) known.push({ given, identityId: given.identityId, policy });
  }
  const found: { readonly pair: KnownPair<P>; readonly items: readonly string[] }[] = [];
  for await (const { pair, items } of findConflicts(reads, scope, known))
    if (items !== null && items.length > 0) found.push({ pair, items });
  const names = await readItemNames(reads, scope.tenant, new Set(found.flatMap(({ items }) => items)));
  return new Map(
    found.map(({ pair, items }) => [pair.given, seeConflict(pair.policy, { items, names }, sha256)] as const),
  );
}

const sha256 = (text: string): string => hash('sha256', text);

const readItemNames = (
  { read }: Reads,
  tenant: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> =>
  read(async (db) => {
    const names = new Map<string, string>();
    const columns = ['id', 'name'] as const;
    for await (const rows of readColumns(db, { table: 'entitlement', tenant, by: 'id', columns }, ids))
      for (const { id, name } of rows) names.set(id, name);
    return names;
  });
