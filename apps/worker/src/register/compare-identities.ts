import { coveringOf, heldMomentsAt, heldViolationsAt, nextInstantAfter, type SodIndex } from '@access-admin/domain';
import {
  type DataVersion,
  type IdentityException,
  type RegisterSource,
  type ReportIdentity,
  type StoredViolation,
  unpackAccess,
} from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import { isSameRulebook } from '../reports/open-current.ts';
import type { Differences } from './apply.ts';

/** What a comparison is made with. */
export interface Comparison {
  /** Opens the present data, for as long as some of them are read. */
  open(): Promise<RegisterSource>;
  readonly index: SodIndex;
  /** The data that the round began with. A later state of an identity is not evaluated with an earlier rulebook. */
  readonly version: Pick<DataVersion, 'version' | 'identityRevision'>;
  /** The instant of the evaluation, in milliseconds since 1970. */
  readonly atMs: number;
  readonly differences: Differences;
  /** Whether an identity was compared with later data meanwhile. */
  isTaken(identityId: string): boolean;
  /** Leaves an identity that has changed meanwhile to later. */
  leave(identityId: string): void;
  /** The status of a violation that has ended though its identity exists. */
  endedStatus(policyId: string): 'Remediated' | 'Closed';
  readonly pause: Pause;
}

const IDENTITIES_AT_ONCE = 50;

/** Compares the violations of some identities of all policies with those stored. */
export async function compareIdentities(comparison: Comparison, ids: readonly string[]): Promise<void> {
  const { differences, pause } = comparison;
  for (let from = 0; from < ids.length; from += IDENTITIES_AT_ONCE) {
    const some = ids.slice(from, from + IDENTITIES_AT_ONCE);
    const { identities, stored, exceptions, due } = await readSome(comparison, some);
    for (const id of some) {
      const identity = identities.get(id);
      if (identity === 'later') comparison.leave(id);
      if (identity === 'later' || comparison.isTaken(id)) continue;
      const known = stored.get(id) ?? [];
      if (identity === undefined) for (const each of known) differences.end(each, 'Closed');
      const next =
        identity === undefined
          ? null
          : compareIdentity(comparison, identity, { known, exceptions: exceptions.get(id) ?? [] });
      if (next !== (due.get(id) ?? null)) differences.setDue(id, next);
      if (differences.isFull()) await differences.save(pause);
      await pause();
    }
  }
}

/** Reads what is known of some identities. No snapshot is open while they are compared. */
async function readSome({ open, version }: Comparison, ids: readonly string[]) {
  await using source = await open();
  const isSame = isSameRulebook(source.version, version.version);
  const identities = new Map(
    (await source.readIdentities(ids)).map((identity) => [
      identity.id,
      isSame || identity.revision <= version.identityRevision ? identity : ('later' as const),
    ]),
  );
  return {
    identities,
    stored: Map.groupBy(await source.storedOf(ids), ({ identity_id }) => identity_id),
    exceptions: Map.groupBy(await source.exceptionsOf(ids), ({ identityId }) => identityId),
    due: new Map((await source.dueOf(ids)).map((each) => [each.identityId, each.due])),
  };
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
  for (const held of heldViolationsAt(index, assignments, atMs)) {
    const ofPolicy = exceptions.filter(({ policyId }) => policyId === held.policyId);
    const exception =
      ofPolicy.length === 0 ? null : coveringOf(ofPolicy, heldMomentsAt(index, held, { assignments, ms: atMs }));
    const found = { ...held, identityId: id, targetName: displayName ?? id, exception: exception ?? null };
    differences.compare(found, byPolicy.get(held.policyId));
    byPolicy.delete(held.policyId);
  }
  for (const stored of byPolicy.values()) differences.end(stored, endedStatus(stored.policy_id));
  const next = nextInstantAfter(atMs, assignments, exceptions);
  return next === null ? null : new Date(next).toISOString();
}
