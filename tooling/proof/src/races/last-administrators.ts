import { type AccessAdminClient, type AccessModelInput, ConflictError, createClient } from '@access-admin/client';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { drawOne, type Random } from '../campaign/random.ts';
import { repeatAttack } from '../campaign/repeat-attack.ts';
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
  control: (run) => fight(run, () => stepAfterReading),
};

/** One of the two administrators. */
interface Administrator {
  readonly id: string;
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
const stepAfterReading: Step = async ({ id, application }) => {
  const [otherId = ''] = IDS.filter((each) => each !== id);
  const { capabilities } = await application.authUsers.get(otherId);
  // Refused by the service, because the administrator would be the last one.
  if (!capabilities.includes(ORG_ADMIN)) return await application.authUsers.setCapabilities(id, []);
  return await application.accessModel.import([identity(id, false)]);
};

async function fight(run: CampaignRun, drawStep: (random: Random) => Step): Promise<Outcome> {
  await using fleet = await openFleet(run.engine, { apis: 2, workers: 0 });
  const applications = fleet.connect({ retries: 0 });
  await fleet.root.accessModel.import(TENANT);
  const appoint = async (application: AccessAdminClient, at: number): Promise<Administrator> => {
    const id = drawOne(() => at, IDS);
    const { token } = await fleet.register({ identityId: id });
    const baseAddress = fleet.apis[at]?.baseAddress ?? '';
    return { id, self: createClient({ baseAddress, token, retries: 0 }), application };
  };
  let administrators = await Promise.all(applications.map(appoint));
  const counts = { duels: run.count, 'refused with 409': 0, 'other refusals': 0, 'lock-outs': 0 };
  const wrong: string[] = [];
  await repeatAttack(run, async (random, number) => {
    const steps = administrators.map((administrator) => ({ administrator, step: drawStep(random) }));
    // Both requests are sent before either is answered.
    const ends = await Promise.allSettled(steps.map(({ administrator, step }) => step(administrator)));
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    const conflicts = reasons.filter((reason) => reason instanceof ConflictError).length;
    const identities = await readIdentities(drawOne(random, applications));
    const admins = identities.filter(({ capabilities }) => capabilities?.includes(ORG_ADMIN)).length;
    counts['refused with 409'] += conflicts;
    counts['other refusals'] += reasons.length - conflicts;
    if (admins === 0) counts['lock-outs']++;
    if (admins !== 1 || conflicts !== 1 || reasons.length !== 1)
      wrong.push(`duel ${number + 1}: ${admins} administrators left, ${reasons.join(' and ') || 'none refused'}`);
    await drawOne(random, applications).accessModel.import(TENANT);
    // The clients of a deleted identity are gone with it.
    const remainingIds = new Set(identities.map(({ id }) => id));
    administrators = await Promise.all(
      administrators.map((each, at) => (remainingIds.has(each.id) ? each : appoint(each.application, at))),
    );
  });
  return { counts, broken: [...summed('duels with another outcome', wrong), ...fleet.crashes()] };
}

async function readIdentities({ accessModel }: AccessAdminClient) {
  const records = await Array.fromAsync(accessModel.export());
  return records.filter((record) => record.kind === 'identity');
}
