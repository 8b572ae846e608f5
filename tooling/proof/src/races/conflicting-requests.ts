import { type AccessAdminClient, type AccessModelInput, type AccessRef, ConflictError } from '@access-admin/client';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { drawOne, type Random } from '../campaign/random.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
import { openFleet } from '../service/open-fleet.ts';

/** C3: two requests that conflict together are reserved at the same instant; exactly one of them is. */
export const conflictingRequests: Campaign = {
  id: 'C3',
  title: 'two requests that conflict together are reserved at once, each at an API of its own',
  unit: 'duels',
  full: 1_000,
  short: 50,
  engines: ['sqlite', 'postgres', 'citus'],
  run: (run) => fight(run, reserve),
  control: (run) => fight(run, reserveAfterLooking),
};

const IDENTITY = 'i-duellist';

const side = (...ids: readonly string[]) => ({
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT' as const, id })),
});

const MODEL: readonly AccessModelInput[] = [
  ...['e-left', 'e-right'].map((id) => ({ kind: 'entitlement' as const, id, name: id })),
  { kind: 'accessProfile', id: 'ap-left', name: 'Left', entitlements: ['e-left'] },
  { kind: 'role', id: 'r-right', name: 'Right', entitlements: ['e-right'], accessProfiles: [] },
  { kind: 'identityProfile', id: 'ip-staff', name: 'Staff' },
  { kind: 'identity', id: IDENTITY, uid: IDENTITY, identityProfile: 'ip-staff' },
  {
    kind: 'sodPolicy',
    id: 'p-duel',
    name: 'Left and right',
    conflictingAccessCriteria: { leftCriteria: side('e-left'), rightCriteria: side('e-right') },
  },
];

/** The ways to request each side. */
const SIDES: readonly (readonly AccessRef[])[] = [
  [
    { type: 'ENTITLEMENT', id: 'e-left' },
    { type: 'ACCESS_PROFILE', id: 'ap-left' },
  ],
  [
    { type: 'ENTITLEMENT', id: 'e-right' },
    { type: 'ROLE', id: 'r-right' },
  ],
];

/** Reserves access in one of the possible ways; rejects with a `ConflictError` where it is refused. */
type Reserve = (client: AccessAdminClient, ref: AccessRef) => Promise<unknown>;

const reserve: Reserve = ({ sodReservations }, ref) =>
  sodReservations.create({ identityId: IDENTITY, accessRefs: [ref] });

/** Looks before it reserves, in two requests: nothing keeps another reservation from coming in between. */
const reserveAfterLooking: Reserve = async (client, ref) => {
  const request = { identityId: IDENTITY, accessRefs: [ref] };
  const { violationContexts } = await client.sodViolations.predict(request, { include: ['pending'] });
  const onConflict = violationContexts.length === 0 ? 'RESERVE' : 'REFUSE';
  return client.sodReservations.create({ ...request, onConflict });
};

async function fight(run: CampaignRun, reserveOne: Reserve): Promise<Outcome> {
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 0 });
  const clients = fleet.connect({ retries: 0 });
  await fleet.root.accessModel.import(MODEL);
  const counts = { duels: run.count, 'refused with 409': 0, 'other refusals': 0, 'both reserved': 0 };
  const wrong: string[] = [];
  await repeatAttack(run, async (random: Random, number) => {
    // Both requests are sent before either is answered.
    const ends = await Promise.allSettled(
      clients.map((client, at) => reserveOne(client, drawOne(random, SIDES[at] ?? []))),
    );
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    const conflicts = reasons.filter((reason) => reason instanceof ConflictError && reason.prediction !== null).length;
    const { sodReservations } = drawOne(random, clients);
    const live = await Array.fromAsync(sodReservations.list({ filters: 'state eq "LIVE"' }));
    counts['refused with 409'] += conflicts;
    counts['other refusals'] += reasons.length - conflicts;
    if (live.length === 2) counts['both reserved']++;
    if (live.length !== 1 || conflicts !== 1 || reasons.length !== 1)
      wrong.push(`duel ${number + 1}: ${live.length} reserved, ${reasons.join(' and ') || 'none refused'}`);
    for (const { id } of live) await sodReservations.release(id);
  });
  return { counts, broken: [...summed('duels with another outcome', wrong), ...fleet.crashes()] };
}
