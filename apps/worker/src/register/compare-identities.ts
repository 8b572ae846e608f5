import { coveringOf, heldViolationsAt, nextInstantAfter, type SodIndex } from '@access-admin/domain';
import {
  type IdentityException,
  type PresentViolation,
  type RegisterSource,
  type ReportIdentity,
  type StoredViolation,
  unpackAccess,
} from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import type { Collector } from './differences.ts';

/** What a comparison is made with. */
export interface Comparison {
  readonly source: RegisterSource;
  readonly index: SodIndex;
  /** The instant of the evaluation, in milliseconds since 1970. */
  readonly atMs: number;
  readonly differences: Collector;
  /** Whether the stored next instants are all there are: others may be staged. */
  readonly areDuesStored: boolean;
  /** The exceptions that the data make void. */
  readonly voidIds: ReadonlySet<string>;
  /** Whether an identity was compared with later data in the meantime. */
  isOvertaken(identityId: string): boolean;
  /** The status of a violation that has ended though its identity exists. */
  endedStatus(policyId: string): 'Remediated' | 'Closed';
  readonly pause: Pause;
}

const IDENTITIES_AT_ONCE = 50;

/** Compares the violations of some identities of all policies with those stored. */
export async function compareIdentities(comparison: Comparison, ids: readonly string[]): Promise<void> {
  const { source, differences, pause } = comparison;
  for (let from = 0; from < ids.length; from += IDENTITIES_AT_ONCE) {
    const some = ids.slice(from, from + IDENTITIES_AT_ONCE);
    const identities = new Map((await source.readIdentities(some)).map((identity) => [identity.id, identity]));
    const stored = Map.groupBy(await source.storedOf(some), ({ identity_id }) => identity_id);
    const approved = (await source.exceptionsOf(some)).filter(({ id }) => !comparison.voidIds.has(id));
    const exceptions = Map.groupBy(approved, ({ identityId }) => identityId);
    const due = new Map((await source.dueOf(some)).map((each) => [each.identityId, each.due]));
    for (const id of some) {
      if (comparison.isOvertaken(id)) continue;
      const known = stored.get(id) ?? [];
      const identity = identities.get(id);
      if (identity === undefined) for (const each of known) differences.end(each, 'Closed');
      const next =
        identity === undefined
          ? null
          : compareIdentity(comparison, identity, { known, exceptions: exceptions.get(id) ?? [] });
      const isStored = comparison.areDuesStored && next === (due.get(id) ?? null);
      if (!isStored) differences.setDue(id, next);
      await differences.saveIfFull(pause);
      await pause();
    }
  }
}

interface KnownOfIdentity {
  readonly known: readonly StoredViolation[];
  readonly exceptions: readonly IdentityException[];
}

/** Returns the next instant at which time alone may change the violations of the identity. */
function compareIdentity(
  { index, atMs, differences, endedStatus }: Comparison,
  { id, displayName, access }: ReportIdentity,
  { known, exceptions }: KnownOfIdentity,
): string | null {
  const assignments = unpackAccess(access);
  const byPolicy = new Map(known.map((stored) => [stored.policy_id, stored]));
  const violations = heldViolationsAt(index, assignments, atMs);
  for (const held of violations) {
    const ofPolicy = exceptions.filter(({ policyId }) => policyId === held.policyId);
    const exception = coveringOf(ofPolicy, [{ startMs: atMs, endMs: Number.POSITIVE_INFINITY }]) ?? null;
    const found: PresentViolation = { ...held, identityId: id, targetName: displayName ?? id, exception };
    differences.compare(found, byPolicy.get(held.policyId));
    byPolicy.delete(held.policyId);
  }
  for (const stored of byPolicy.values()) differences.end(stored, endedStatus(stored.policy_id));
  const next = nextInstantAfter(atMs, assignments, exceptions);
  return next === null ? null : new Date(next).toISOString();
}
