import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@access-admin/client';
import type { CampaignRun } from '../campaign/campaign.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { COMPANY } from '../load/company.ts';
import type { Sql } from '../service/open-database.ts';
import type { Fleet } from '../service/open-fleet.ts';
import { type AuditedRegister, auditRegister, readAll, settleRegister } from './audit.ts';
import { startChanges } from './changes.ts';
import { APPROVER, ASKER, DUTIES, WINDOW_MS_MAX } from './duties.ts';
import { openReceiver, type Receiver } from './receiver.ts';

interface RegisterLoadPlan {
  /** The longest pause between two changes through one API; null for changes that are asked for only. */
  readonly pauseMs: number | null;
}

/** A receiver of webhooks, and the environment that processes need to deliver to it. */
export async function openRegisterLoad() {
  const receiver = await openReceiver();
  return {
    /** For API and worker. */
    env: { SECRET_KEY: randomUUID(), WEBHOOK_TARGETS: receiver.origin },
    /** Imports the duties, and starts to change what violations depend on, if there is a pause. */
    start: (fleet: Fleet, run: CampaignRun, plan: RegisterLoadPlan) => start(fleet, run, { ...plan, receiver }),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

async function start(
  fleet: Fleet,
  { seed, signal }: CampaignRun,
  { receiver, pauseMs }: RegisterLoadPlan & { readonly receiver: Receiver },
) {
  await fleet.root.accessModel.import([...COMPANY, ...DUTIES]);
  const connectAs = async (identityId: string) => {
    const { id: clientId, secret: clientSecret } = await fleet.register({ identityId });
    return fleet.apis.map(({ baseAddress }) => createClient({ baseAddress, clientId, clientSecret, retries: 1 }));
  };
  const askers = await connectAs(ASKER);
  const approvers = await connectAs(APPROVER);
  const [auditor] = approvers;
  if (auditor === undefined) throw new Error('a fleet needs an API');
  await auditor.webhooks.create({ name: 'proof', url: `${receiver.origin}/`, types: ['*'] });
  // A webhook gets what happens after its creation.
  const { length: earlier } = await readAll(auditor.events.list());
  const changers = fleet.connect({ retries: 1 }).flatMap((application, at) => {
    const asker = askers[at];
    const approver = approvers[at];
    return asker === undefined || approver === undefined ? [] : [{ application, asker, approver }];
  });
  const changes = startChanges(changers, { seed, pauseMs });
  const audited: AuditedRegister = { root: fleet.root, auditor, changes, receiver, earlier, signal };
  return {
    makeChange: changes.makeOne,
    /** Stops the changes, and waits until the register has what they have changed and the receiver has all events. */
    stop: async () => {
      await changes.stop();
      await delay(WINDOW_MS_MAX, undefined, { signal });
      await settleRegister(audited);
    },
    /** Finds what is wrong in the end; `checks` are the ids of those that were acknowledged. */
    audit: (checks: Iterable<string>) => auditRegister(audited, checks),
    [Symbol.asyncDispose]: changes.stop,
  };
}

/** Waits until workers have written what they know of: registers are up to date, and webhooks have stored their deliveries. */
export const awaitIdleWorkers = (sql: Sql, msMax: number): Promise<boolean> =>
  waitUntil(
    async () => {
      const [behind] = await sql.texts(`select count(*) from (
        select tenant from tenant where register_behind_since is not null
        union all select webhook.tenant from webhook join event_head on event_head.tenant = webhook.tenant
        where webhook.cursor_at < event_head.sequence) as work`);
      return Number(behind) === 0;
    },
    { msMax },
  );

/** Plants a lost and a doubled event: one tells the begin of a violation that another one tells too. */
export async function plantMistold(sql: Sql): Promise<void> {
  const [kept, lost] = await sql.texts(
    "select id from event where type = 'sod.violation.opened' order by sequence limit 2",
  );
  const [{ resource_id: resourceId, data } = {}] = await sql.run(
    `select resource_id, data from event where id = '${kept}'`,
  );
  await sql.run(
    `update event set id = '${randomUUID()}', resource_id = '${resourceId}', data = '${data}' where id = '${lost}'`,
  );
}
