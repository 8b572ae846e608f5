import { runClosedLoop } from '../load/closed-loop.ts';
import { withConnections } from '../load/http-connection.ts';
import { checkRequest, cycleThrough, predictRequest } from '../load/predict-request.ts';
import { p95Of, spreadOf } from '../measure/rounds.ts';
import { waitUntil } from '../measure/wait-until.ts';
import { personOf, policyId, requestOf } from '../size/company.ts';
import { ASSIGNMENTS, type Deployment, type MeasuredTenant, peopleOf } from './deployment.ts';

const IMPORTED = 1_000;
const CALLERS = 16;
const REMEMBERED_MS = 1_000;
const PATCHES = 40;
const CHECKS = 1_000;
const LONE_CHECKS = 20;
const CHANGES = 10;

/** Values of one round, by name. */
export type Measured = Readonly<Record<string, number>>;

/** Measures a deployment for one round. */
export type Measure = (deployment: Deployment, round: number) => Promise<Measured>;

/** Imports people, then predicts for each of them once, then again and again. */
export const measurePeople: Measure = async (deployment, round) => {
  const { port, tenants } = deployment;
  const { client, target } = tenantOf(tenants, round);
  const people = deployment.takeNumbers(IMPORTED);
  const records = peopleOf(people);
  const start = performance.now();
  await client.accessModel.import(records);
  const importMs = performance.now() - start;
  await isCaughtUp(deployment);
  const requests = people.map((number) => predictRequest(target, plain(number)));
  const load = async (end: Parameters<typeof runClosedLoop>[2]) => {
    const { answers, seconds } = await withConnections(port, CALLERS, (connections) =>
      runClosedLoop(connections, cycleThrough(requests), end),
    );
    return answers / seconds;
  };
  return {
    imported: (IMPORTED * 1_000) / importMs,
    firstPredicts: await load({ requests: IMPORTED }),
    rememberedPredicts: await load({ milliseconds: REMEMBERED_MS }),
  };
};

/** Changes the description of policies, one after the other. */
export const measurePatches: Measure = async ({ tenants }, round) => {
  const waits: number[] = [];
  for (let patch = 0; patch < PATCHES; patch++) {
    const { client } = tenantOf(tenants, patch);
    waits.push(
      await timeOf(() =>
        client.sodPolicies.patch(policyId(patch), [
          { op: 'replace', path: '/description', value: `round ${round}, patch ${patch}` },
        ]),
      ),
    );
  }
  return { patchMs: spreadOf(waits).median };
};

/** Starts checks of all tenants, and waits until the last one is done. */
export const measureChecks: Measure = async (deployment) => {
  const { port, tenants, reader } = deployment;
  const requests = Array.from({ length: CHECKS }, (_, at) => checkRequest(tenantOf(tenants, at).target, plain(at)));
  const start = performance.now();
  const { seconds } = await withConnections(port, CALLERS, (connections) =>
    runClosedLoop(connections, cycleThrough(requests), { requests: CHECKS }),
  );
  for (const { name } of tenants)
    await waitUntil(async () => {
      const pending = `select 1 from sod_check where tenant = '${name}' and state = 'PENDING' limit 1`;
      return (await reader.read(pending)).length === 0;
    }, 5);
  return { acceptedChecks: CHECKS / seconds, wholeChecks: (CHECKS * 1_000) / (performance.now() - start) };
};

/** Makes checks one after the other, each from its request to its result. */
export const measureLoneChecks: Measure = async ({ tenants }, round) => {
  const { client } = tenantOf(tenants, round);
  const waits: number[] = [];
  for (let check = 0; check < LONE_CHECKS; check++)
    waits.push(
      await timeOf(async () => {
        const { requestId } = await client.sodViolations.check(requestOf(check));
        await client.sodViolations.waitForCheck(requestId);
      }),
    );
  return { loneCheckMs: spreadOf(waits).median };
};

/** Changes people so that they violate a policy, one after the other, each from the request to the event. */
export const measureRegister: Measure = async (deployment, round) => {
  const { client } = tenantOf(deployment.tenants, round);
  const after = await client.events.last();
  const ended = new AbortController();
  const opened = client.events.stream({ after, types: ['sod.violation.opened'], signal: ended.signal });
  const events = opened[Symbol.asyncIterator]();
  const waits: number[] = [];
  for (const number of deployment.takeNumbers(CHANGES))
    waits.push(
      await timeOf(async () => {
        const event = events.next();
        await client.accessModel.import([personOf(number, { assignments: ASSIGNMENTS, isViolating: true })]);
        await event;
      }),
    );
  ended.abort();
  return { eventMs: spreadOf(waits).median, eventP95Ms: p95Of(waits) };
};

function tenantOf(tenants: readonly MeasuredTenant[], turn: number): MeasuredTenant {
  const tenant = tenants[turn % tenants.length];
  if (tenant === undefined) throw new Error('There is no tenant.');
  return tenant;
}

const plain = (number: number) => ({ body: JSON.stringify(requestOf(number)), accept: null });

async function timeOf(work: () => PromiseLike<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The registers have all changes. */
const isCaughtUp = ({ reader }: Deployment): Promise<void> =>
  waitUntil(
    async () => (await reader.read('select 1 from tenant where register_behind_since is not null')).length === 0,
    25,
  );
