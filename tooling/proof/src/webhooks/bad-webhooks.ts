import { randomUUID } from 'node:crypto';
import { createClient } from '@access-admin/client';
import type { Campaign, CampaignRun, Outcome } from '../campaign/campaign.ts';
import { COMPANY } from '../load/company.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { COLLECTOR } from '../service/resident-memory.ts';
import { openBadReceivers } from './bad-receivers.ts';
import { createFailing, readOutcome } from './failing-webhooks.ts';
import type { Subscriber } from './paced-events.ts';
import { describePhase, measurePhase, verifyPhases } from './phase.ts';
import { type AnswerDelivery, openReceiver, type Receiver } from './receiver.ts';

/** Time between two events of a tenant. */
const EVERY_MS = 100;
const CALM_SHARE = 0.3;
const CALM_MIN = 30;
/** With fewer events the campaign runs beside other work: it judges medians, by a rough limit. */
const STRICT_FROM = 500;
const STRICT = { perKind: 4, judged: 'p95Ms', limitMs: (calmMs: number) => Math.max(1_000, 2 * calmMs) } as const;
const ROUGH = { perKind: 2, judged: 'medianMs', limitMs: (calmMs: number) => 5 * calmMs + 5_000 } as const;

/** W1: webhooks that fail slow nothing else down. */
export const badWebhooks: Campaign = {
  id: 'W1',
  title: 'webhook receivers that are away, hanging, slow, answering 500, 410, redirects and 1 GB',
  unit: 'events',
  full: 1_000,
  short: 60,
  engines: ['sqlite', 'postgres'],
  run: (run) => deliverBeside(run, accept),
  // As if the deliveries of receivers that are well waited for others.
  control: (run) => deliverBeside(run, (response) => void setTimeout(() => response.writeHead(204).end(), 10_000)),
};

const accept: AnswerDelivery = (response) => void response.writeHead(204).end();

async function deliverBeside(run: CampaignRun, answerDuring: AnswerDelivery): Promise<Outcome> {
  let answer = accept;
  const openGood = () => openReceiver((response, request) => answer(response, request));
  await using bad = await openBadReceivers();
  await using own = await openGood();
  await using other = await openGood();
  const origins = [own, other, ...bad.all].map(({ origin }) => origin);
  const secretKey = randomUUID();
  const env = () => ({ SECRET_KEY: secretKey, WEBHOOK_TARGETS: origins.join(), NODE_OPTIONS: COLLECTOR });
  await using fleet = await openFleet(run.engine, { apis: 1, workers: 1, env });
  const [near, far] = [await subscribe(fleet, 'default', own), await subscribe(fleet, 'tenant-b', other)];
  const { perKind, ...limits } = run.count < STRICT_FROM ? ROUGH : STRICT;
  const measure = (count: number) => measurePhase([near, far], fleet, { count, everyMs: EVERY_MS, signal: run.signal });
  // The first events open connections.
  await measure(CALM_MIN);
  const calm = await measure(Math.max(CALM_MIN, Math.round(run.count * CALM_SHARE)));
  const failing = await createFailing(near.client, bad.all, perKind);
  answer = answerDuring;
  const during = await measure(run.count);
  const reached = new Map((await bad.read()).map((each) => [each.kind, each]));
  const outcomes = await Promise.all(
    failing.map((each) => readOutcome(near.client, { ...each, ...reached.get(each.kind) })),
  );
  return {
    counts: {
      ...{ events: 2 * run.count, 'failing webhooks': perKind * bad.all.length },
      ...{ 'without them': describePhase(calm), 'beside them': describePhase(during) },
      ...Object.fromEntries(outcomes.map(({ kind, text }) => [kind, text])),
    },
    broken: [...verifyPhases(calm, during, limits), ...outcomes.flatMap(({ broken }) => broken), ...fleet.crashes()],
  };
}

/** A client of a tenant with a webhook. */
async function subscribe(fleet: Fleet, tenant: string, receiver: Receiver): Promise<Subscriber> {
  const { id: clientId, secret: clientSecret } = await fleet.register({ tenant });
  const client = createClient({ baseAddress: fleet.api.baseAddress, clientId, clientSecret });
  await client.accessModel.import(COMPANY);
  await client.webhooks.create({ name: 'good', url: `${receiver.origin}/`, types: ['*'] });
  return { name: tenant, client, receiver };
}
