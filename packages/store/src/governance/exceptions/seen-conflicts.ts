import { hash } from 'node:crypto';
import { type SeenConflict, seeTerms } from '@access-admin/domain';
import type { Reads } from '../../engine/database.ts';
import { readColumns } from '../../query/model-tables.ts';
import { type ConflictPolicy, findConflicts, readPolicies } from './held-conflicts.ts';

/** A policy and an identity, by their ids. */
export interface ConflictPair {
  readonly policyId: string;
  readonly identityId: string;
}

/** A tenant at an instant (ISO 8601). */
export interface ConflictScope {
  readonly tenant: string;
  readonly now: string;
}

/** A pair with its policy. */
interface KnownPair<P extends ConflictPair> {
  readonly given: P;
  readonly identityId: string;
  readonly policy: ConflictPolicy;
  readonly fromMs: number;
}

/** The conflicts of pairs as an approver sees them, with the present names of items; none for a pair that has none. */
export async function findSeenConflicts<P extends ConflictPair>(
  reads: Reads,
  { tenant, now }: ConflictScope,
  pairs: readonly P[],
): Promise<ReadonlyMap<P, SeenConflict>> {
  const policies = await readPolicies(
    reads,
    tenant,
    pairs.map(({ policyId }) => policyId),
  );
  const known = pairs.flatMap((given): KnownPair<P>[] => {
    const policy = policies.get(given.policyId);
    return policy === undefined ? [] : [{ given, identityId: given.identityId, policy, fromMs: Date.parse(now) }];
  });
  const found: { readonly pair: KnownPair<P>; readonly items: readonly string[] }[] = [];
  for await (const conflict of findConflicts(reads, tenant, known)) found.push(conflict);
  const names = await readItemNames(reads, tenant, new Set(found.flatMap(({ items }) => items)));
  return new Map(
    found.map(({ pair: { given, policy }, items }) => {
      const terms = seeTerms(policy, { items, names }, sha256);
      return [given, { policy: policy.terms, items, terms }] as const;
    }),
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
