import { type AccessAdminClient, type AccessModelInput, ConflictError } from '@access-admin/client';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';
import { connectAs } from '../service/connect-as.ts';
import { openFleet } from '../service/open-fleet.ts';

/** C2: both administrators of a tenant step down at the same instant; one of them must remain. */
export const lastAdministrators: Campaign = {
  id: 'C2',
  title: 'the last two administrators step down at once, each at an API of its own',
  unit: 'duels',
  full: 500,
  short: 50,
  engines: ['sqlite', 'postgres'],
  run: (run) => fight(run, drawStep),
  control: (run) => fight(run, () => stepAfterLooking),
};

/** One of the two administrators. */
interface Administrator {
  readonly id: string;
  readonly otherId: string;
  /** A client that acts as the administrator. */
  readonly self: AccessAdminClient;
  /** A client of an application, which may do more than an administrator. */
  readonly application: AccessAdminClient;
}

/** Steps down in one of the possible ways. */
type Step = (administrator: Administrator) => Promise<unknown>;

const IDS = ['i-left', 'i-right'] as const;
const ORG_ADMIN = 'ORG_ADMIN';

const identity = (id: string, isAdmin: boolean): AccessModelInput => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip-staff',
  capabilities: isAdmin ? [ORG_ADMIN] : [],
});
const TENANT: readonly AccessModelInput[] = [
  { kind: 'identityProfile', id: 'ip-staff', name: 'Staff' },
  ...IDS.map((id) => identity(id, true)),
];

const STEPS: readonly Step[] = [
  ({ id, self }) => self.authUsers.patch(id, [{ op: 'remove', path: '/capabilities/0' }]),
  ({ id, self }) => self.authUsers.setCapabilities(id, []),
  ({ id, application }) => application.authUsers.setCapabilities(id, []),
  ({ id, self }) => self.accessModel.import([{ kind: 'identity', id, delete: true }]),
  ({ id, self }) => self.accessModel.import([identity(id, false)]),
];

const drawStep = (random: Random): Step => drawOne(random, STEPS);

/** Reads before it writes, with an import by an application, which has no guard against the race. */
const stepAfterLooking: Step = async ({ id, otherId, application }) => {
  const { capabilities } = await application.authUsers.get(otherId);
  if (!capabilities.includes(ORG_ADMIN)) throw new ConflictError('the other one has stepped down', CONFLICT_DETAILS);
  await application.accessModel.import([identity(id, false)]);
};
const CONFLICT_DETAILS = {
  status: 409,
  detailCode: null,
  trackingId: null,
  messages: [],
  causes: [],
  retryAfterMs: null,
};

async function fight(
  { engine, seed, count, log, signal }: CampaignRun,
  stepOf: (random: Random) => Step,
): Promise<Outcome> {
  await using fleet = await openFleet(engine, { apis: 2, workers: 0 });
  const random = createRandom(seed);
  const applications = await connectAs(fleet, null);
  const anywhere = () => drawOne(random, applications);
  await anywhere().accessModel.import(TENANT);
  const administrators: Administrator[] = [];
  for (const [at, application] of applications.entries()) {
    const [id, otherId] = at === 0 ? IDS : [IDS[1], IDS[0]];
    const self = (await connectAs(fleet, id))[at];
    if (self !== undefined) administrators.push({ id, otherId, self, application });
  }
  const counts = { duels: 0, 'refused with 409': 0, 'other refusals': 0, 'lock-outs': 0 };
  const broken: string[] = [];
  for (; counts.duels < count; counts.duels++) {
    signal.throwIfAborted();
    const steps = administrators.map((administrator) => ({ administrator, step: stepOf(random) }));
    // Both requests are sent before either is answered.
    const ends = await Promise.allSettled(steps.map(({ administrator, step }) => step(administrator)));
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    const conflicts = reasons.filter((reason) => reason instanceof ConflictError).length;
    const admins = await countAdmins(anywhere());
    counts['refused with 409'] += conflicts;
    counts['other refusals'] += reasons.length - conflicts;
    if (admins === 0) counts['lock-outs']++;
    if (admins !== 1 || conflicts !== 1 || reasons.length !== 1)
      broken.push(
        `duel ${counts.duels + 1}: ${admins} administrators left, ${reasons.join(' and ') || 'none refused'}`,
      );
    await anywhere().accessModel.import(TENANT);
    if (counts.duels % 100 === 99) log(`${counts.duels + 1} duels, ${broken.length} failures`);
  }
  return {
    counts,
    broken: [...summed('duels with another outcome', broken), ...fleet.crashes()],
  };
}

async function countAdmins(client: AccessAdminClient): Promise<number> {
  let admins = 0;
  for await (const record of client.accessModel.export())
    if (record.kind === 'identity' && record.capabilities?.includes(ORG_ADMIN)) admins++;
  return admins;
}
