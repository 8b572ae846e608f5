import { setTimeout as delay } from 'node:timers/promises';
import { type AccessAdminClient, ApiError, createClient } from '@access-admin/client';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { attackUnderLoad, type Tamper } from '../load/attack-under-load.ts';
import { COMPANY, GRANT } from '../load/company.ts';
import type { Customers } from '../load/customers.ts';
import { type Fleet, openFleet } from '../service/open-fleet.ts';
import { openNodes } from '../service/open-nodes.ts';

const LEASE_MS = 1_000;
const DOWN_MS = 10_000;
/** How soon after a node is back its tenants are served. */
const BACK_MS_MAX = 10_000;
/** For how long calls of tenants of other nodes may fail once a node is away. */
const OTHERS_FAIL_MS_MAX = 5_000;
const TENANT = 'default';

/** D1: a node of a distributed database is stopped and comes back, and shards move to a new node and back, under load. */
export const nodesAway: Campaign = {
  id: 'D1',
  title: 'a node of Citus stopped for 10 s, and shards moved to a new node and back',
  unit: 'stops',
  full: 10,
  short: 1,
  engines: ['citus'],
  measuresTime: true,
  run: (run) => stopNodes(run),
  control: (run) => stopNodes({ ...run, count: 1 }, plantLoss),
};

async function stopNodes(run: CampaignRun, tamper?: Tamper): Promise<Outcome> {
  await using fleet = await openFleet('citus', {
    apis: 2,
    workers: 2,
    env: () => ({ CHECK_LEASE_MS: String(LEASE_MS) }),
  });
  const nodes = await openNodes(fleet.database.url);
  const neighbour = await openNeighbour(fleet, await nodes.findNeighbour(TENANT));
  const late: string[] = [];
  const refusals = { whileDown: 0 };
  const backMs: number[] = [];
  let ofMoves = 0;
  const failuresOfMoves: string[] = [];
  const watch = neighbour.watch();
  const { counts, broken } = await attackUnderLoad(run, fleet, {
    customers: 8,
    pauseMs: 60,
    writes: 30,
    attack: async (customers) => {
      for (let number = 0; number < run.count; number++) {
        await untilAnswered(customers);
        const { start } = await nodes.stopNodeOf(TENANT);
        watch.bear(OTHERS_FAIL_MS_MAX);
        await delay(DOWN_MS / 2, undefined, { signal: run.signal });
        if (await isRefused(fleet.root)) refusals.whileDown += 1;
        if (!(await fleet.root.health.ready())) late.push('not ready while a node was away');
        await delay(DOWN_MS / 2, undefined, { signal: run.signal });
        await start();
        const startMs = performance.now();
        while (await isRefused(fleet.root)) await delay(50, undefined, { signal: run.signal });
        backMs.push(Math.round(performance.now() - startMs));
        // What they are answered they owe to the stopped node.
        await customers.untilEnded();
        const failedBefore = customers.failures.length;
        await using added = await nodes.startNode();
        // Citus itself prepares moves.
        const before = await nodes.countPrepared();
        await added.join(TENANT);
        await untilAnswered(customers);
        await added.leave();
        await customers.untilEnded();
        ofMoves += (await nodes.countPrepared()) - before;
        failuresOfMoves.push(...customers.failures.slice(failedBefore).map(String));
        run.log(`${number + 1}: back after ${backMs.at(-1)} ms`);
      }
    },
    tamper: async (customers, sql) => {
      await watch.stop();
      await tamper?.(customers, sql);
    },
  });
  const prepared = (await nodes.countPrepared()) - ofMoves;
  return {
    counts: {
      stops: run.count,
      ...counts,
      'ms until served again': Math.max(...backMs),
      'calls of the neighbour': watch.answered,
      'failed calls of the neighbour': watch.failures.length,
      'failed calls while shards moved': failuresOfMoves.length,
      'prepared transactions': prepared,
    },
    broken: [
      ...broken,
      ...summed('calls of a tenant of another node failed', watch.unborne),
      ...summed('calls failed while shards moved', failuresOfMoves),
      ...summed('changes of readiness', late),
      ...(prepared > 0 ? [`${prepared} transactions were prepared on the nodes`] : []),
      ...(refusals.whileDown < run.count ? ['a tenant of a stopped node was served: nothing is proven'] : []),
      ...(Math.max(...backMs) > BACK_MS_MAX
        ? [`served again only ${Math.max(...backMs)} ms after the node was back`]
        : []),
    ],
  };
}

/** Resolves once the customers have got further answers. */
async function untilAnswered(customers: Customers): Promise<void> {
  const enough = customers.answered + 30;
  while (customers.answered < enough) await delay(20);
}

/** Whether a call of the tenant is refused for now. */
async function isRefused(client: AccessAdminClient): Promise<boolean> {
  try {
    await client.sodViolations.check(GRANT);
    return false;
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) return true;
    throw error;
  }
}

/** A tenant whose caller reads, writes and has checks done one after the other, and does not repeat a call. */
async function openNeighbour(fleet: Fleet, tenant: string) {
  const { id, secret } = await fleet.register({ tenant });
  const { baseAddress } = fleet.api;
  const client = createClient({ baseAddress, clientId: id, clientSecret: secret, retries: 0 });
  await client.accessModel.import(COMPANY);
  return {
    watch: () => {
      const watched = { answered: 0, failures: [] as string[], unborne: [] as string[] };
      let borneUntilMs = Number.NEGATIVE_INFINITY;
      const fail = (text: string, startMs: number) => {
        const sinceMs = Math.round(startMs - borneUntilMs);
        watched.failures.push(text);
        if (sinceMs > 0) watched.unborne.push(`${text}; begun ${sinceMs} ms after calls may fail`);
      };
      const stopping = new AbortController();
      const working = (async () => {
        while (!stopping.signal.aborted) {
          const startMs = performance.now();
          try {
            await client.sodViolations.predict(GRANT);
            await client.uiMetadata.set({ usernameLabel: String(watched.answered) });
            const { requestId } = await client.sodViolations.check(GRANT);
            const { state } = await client.sodViolations.getCheck(requestId, { waitSeconds: 5 });
            if (state !== 'SUCCESS') fail(`a check was ${state} after 5 s`, startMs);
            watched.answered += 4;
          } catch (error) {
            fail(String(error), startMs);
          }
          await delay(20);
        }
      })();
      const stop = async () => {
        stopping.abort();
        await working;
      };
      /** Calls that begin within this time may fail. */
      const bear = (ms: number) => {
        borneUntilMs = performance.now() + ms;
      };
      return Object.assign(watched, { bear, stop });
    },
  };
}

/** Plants the loss of an acknowledged check. */
const plantLoss: Tamper = async ({ ledger }, sql) => {
  const [missing] = ledger.acknowledged.keys();
  await sql.run(`delete from sod_check where request_id = '${missing}'`);
};
