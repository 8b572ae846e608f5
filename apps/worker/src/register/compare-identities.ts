import { coveringOf, heldMomentsAt, heldViolationsAt, nextInstantAfter, type SodIndex } from '@access-admin/domain';
import {
  type IdentityException,
  type RegisterSource,
  type ReportIdentity,
  type StoredViolation,
  unpackAccess,
} from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import type { Differences } from './differences.ts';
import type { EndedStatus } from './plan-round.ts';

/** What some identities are compared with. */
export interface Comparison {
  /** Opens the present data and their rulebook, for as long as some of them are read. */
  openCurrent(): Promise<{ readonly source: RegisterSource; readonly index: SodIndex }>;
  /** How violations have ended by data of this version. */
  endedStatusOf(source: RegisterSource): Promise<EndedStatus>;
  /** The instant of the evaluation, in milliseconds since 1970. */
  readonly atMs: number;
  readonly differences: Differences;
  readonly pause: Pause;
}

const IDENTITIES_AT_ONCE = 50;

/** Compares the violations of some identities of all policies with those stored. */
export async function compareIdentities(comparison: Comparison, ids: readonly string[]): Promise<void> {
  const { differences, pause } = comparison;
  for (let from = 0; from < ids.length; from += IDENTITIES_AT_ONCE) {
    const some = ids.slice(from, from + IDENTITIES_AT_ONCE);
    const { identities, stored, exceptions, due, ...data } = await readSome(comparison, some);
    for (const id of some) {
      const identity = identities.get(id);
      const known = stored.get(id) ?? [];
      if (identity === undefined) for (const each of known) differences.end(each, 'Closed');
      const next =
        identity === undefined
          ? null
          : compareIdentity({ ...comparison, ...data }, identity, { known, exceptions: exceptions.get(id) ?? [] });
      if (next !== (due.get(id) ?? null)) differences.setDue(id, next);
      if (differences.isFull()) await differences.save(pause);
      await pause();
    }
  }
}

/** Reads what is known of some identities. No snapshot is open while they are compared. */
async function readSome({ openCurrent, endedStatusOf }: Comparison, ids: readonly string[]) {
  const { source: opened, index } = await openCurrent();
  await using source = opened;
  return {
    index,
    endedStatus: await endedStatusOf(source),
    identities: new Map((await source.identitiesOf(ids)).map((identity) => [identity.id, identity])),
    stored: Map.groupBy(await source.storedOf(ids), ({ identity_id }) => identity_id),
    exceptions: Map.groupBy(await source.exceptionsOf(ids), ({ identityId }) => identityId),
    due: new Map((await source.dueOf(ids)).map((each) => [each.identityId, each.due])),
  };
}

interface IdentityComparison extends Pick<Comparison, 'atMs' | 'differences'> {
  readonly index: SodIndex;
  readonly endedStatus: EndedStatus;
}

interface KnownOfIdentity {
  readonly known: readonly StoredViolation[];
  readonly exceptions: readonly IdentityException[];
}

/** Returns the next instant at which time alone may change the violations of the identity. */
function compareIdentity(
  { index, atMs, differences, endedStatus }: IdentityComparison,
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
