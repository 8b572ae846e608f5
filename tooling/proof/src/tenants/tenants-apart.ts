import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { drawCases } from '../campaign/draw-cases.ts';
import { drawOne, type Random } from '../campaign/random.ts';
import type { ApiOperation } from '../http/api-document.ts';
import { drawCall, type Sides } from './draw-call.ts';
import { type MarkedTenant, type MarkedWorld, openMarkedWorld } from './marked-tenants.ts';
import { bytesOf, type CallAnswer } from './send-call.ts';

/** A2: a tenant can neither read nor change data of another one. */
export const tenantsApart: Campaign = {
  id: 'A2',
  title: 'two tenants with equal ids and a mark of the tenant in each text',
  unit: 'calls',
  full: 10_000,
  short: 1_000,
  engines: ['sqlite', 'postgres'],
  run: (run) => mix(run, async () => {}),
  control: (run) => mix({ ...run, count: Math.min(run.count, CONTROL_CALLS) }, plantLeak),
};

const CONTROL_CALLS = 1_000;
/** Number of calls between two searches of the public endpoints. */
const OPEN_EVERY = 250;
/** Of this many writes, one is followed by a comparison of the other tenant's export. */
const FOLLOWED = 10;

interface Seen {
  calls: number;
  refused: number;
  followed: number;
  compared: number;
  readonly operations: Set<string>;
  readonly leaks: string[];
  readonly told: string[];
  readonly crossed: string[];
}

async function mix(run: CampaignRun, tamper: (world: MarkedWorld) => Promise<void>): Promise<Outcome> {
  await using world = await openMarkedWorld(run.engine);
  await tamper(world);
  const seen: Seen = {
    ...{ calls: 0, refused: 0, followed: 0, compared: 0 },
    ...{ operations: new Set(), leaks: [], told: [], crossed: [] },
  };
  const smallest = await drawCases(run, async (random, number) => {
    const findings = await tryCall(world, number === null ? structuredClone(seen) : seen, random);
    if (number === null) return findings[0] ?? null;
    if (number % OPEN_EVERY === 0) {
      seen.leaks.push(...(await readOpen(world)));
      await world.renew();
    }
    if (number % 2_500 === 0) run.log(`${number} calls, ${seen.leaks.length} leaks`);
    return findings[0] ?? null;
  });
  seen.leaks.push(...(await readOpen(world)), ...readLogs(world));
  return outcomeOf(world, seen, smallest);
}

/** Draws a call, sends it, and adds what it shows to the statistics; returns its findings. */
async function tryCall(world: MarkedWorld, seen: Seen, random: Random): Promise<readonly string[]> {
  const before = [...seen.leaks, ...seen.told, ...seen.crossed].length;
  const [own, other] = random(2) === 0 ? world.sides : ([world.sides[1], world.sides[0]] as const);
  const operation = drawOne(random, world.operations);
  const isFollowed = operation.method !== 'GET' && random(FOLLOWED) === 0;
  const exported = isFollowed ? await exportOf(world, other) : null;
  await callOnce({ world, seen, operation, sides: { own, other } }, random);
  if (exported !== null) {
    seen.followed++;
    if ((await exportOf(world, other)) !== exported) seen.crossed.push(`${operation.id} changed the other tenant`);
  }
  const all = [...seen.leaks, ...seen.told, ...seen.crossed];
  return all.length > before ? all.slice(-1) : [];
}

interface Turn {
  readonly world: MarkedWorld;
  readonly seen: Seen;
  readonly operation: ApiOperation;
  readonly sides: Sides;
}

async function callOnce({ world, seen, operation, sides }: Turn, random: Random): Promise<void> {
  const { innocent, ...call } = drawCall(operation, sides, random);
  const answer = await world.caller.send(call);
  seen.calls++;
  seen.operations.add(operation.id);
  if (answer.status >= 400) seen.refused++;
  const what = `${call.method} ${call.path} as ${sides.own.tenant}: ${answer.status}`;
  if (answer.status >= 500) seen.crossed.push(`${what} ${answer.text.slice(0, 200)}`);
  for (const [id] of call.path.matchAll(ID)) sides.own.named.add(id);
  const isKnown = (leak: string) => operation.path.startsWith('/audit-events/') && sides.own.named.has(leak);
  const leaks = leaksIn(answer, sides.other).filter((leak) => !isKnown(leak));
  seen.leaks.push(...leaks.map((leak) => `${what} holds ${leak}`));
  remember(operation, answer, sides.own);
  if (innocent === null) return;
  seen.compared++;
  if (!isAlike(answer, await world.caller.send(innocent))) seen.told.push(what);
}

/** Equal but for signatures, and for a check or report that has progressed in between. */
const isAlike = (left: CallAnswer, right: CallAnswer): boolean =>
  unsigned(left) === unsigned(right) ||
  (left.status === 200 && right.status === 200 && isMoving(left, right)) ||
  (left.status === 409 && right.status === 200);

const unsigned = (answer: CallAnswer): string => bytesOf(answer).replace(/"signature":"[^"]*"/, '');

const isMoving = (left: CallAnswer, right: CallAnswer): boolean =>
  left.text.includes('"state":"RUNNING"') || stateIn(left) !== stateIn(right);

const stateIn = ({ text }: CallAnswer) => /"state":"(?:PENDING|RUNNING)"/.exec(text)?.[0];

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Texts and ids of another tenant in an answer. */
function leaksIn(
  { head, text }: CallAnswer,
  { mark, tenant, requestIds, clientIds, exceptionIds, reportIds, secrets }: MarkedTenant,
) {
  const all = `${head}\n${text}`.toLowerCase();
  const ids = new Set(all.match(ID) ?? []);
  return [
    ...[mark, tenant].filter((word) => all.includes(word)),
    ...[...requestIds, ...clientIds, ...exceptionIds, ...reportIds].filter((id) => ids.has(id)),
    ...secrets.filter((secret) => all.includes(secret.toLowerCase())).map(() => 'a secret'),
  ];
}

/** Records the ids and secrets in an answer. */
function remember({ id }: ApiOperation, { status, text }: CallAnswer, own: MarkedTenant): void {
  if (id === 'start-violation-check-v1' && status === 202) own.requestIds.push(JSON.parse(text).requestId);
  if (id.startsWith('start-sod-') && status === 202) own.reportIds.push(JSON.parse(text).reportId);
  if (id === 'create-sod-exception-v1' && status === 201) own.exceptionIds.push(JSON.parse(text).id);
  if (id !== 'create-oauth-client-v1' || status !== 201) return;
  const created: { readonly id: string; readonly secret: string } = JSON.parse(text);
  own.clientIds.push(created.id);
  own.secrets.push(created.secret);
}

async function exportOf({ caller }: MarkedWorld, { tokens: [token = ''] }: MarkedTenant): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  return (await caller.send({ method: 'GET', path: '/access-model/v1/export', headers, body: null })).text;
}

/** Texts of tenants in answers of public endpoints. */
async function readOpen({ caller, sides, open }: MarkedWorld): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const path of open) {
    const answer = await caller.send({ method: 'GET', path, headers: {}, body: null });
    for (const side of sides) leaks.push(...leaksIn(answer, side).map((leak) => `${path} holds ${leak}`));
  }
  return leaks;
}

/** Log lines name tenants, clients and identities, but no text and no secret of theirs. */
function readLogs({ fleet, sides }: MarkedWorld): readonly string[] {
  return [...fleet.apis, ...fleet.workers].flatMap(({ name, process }) => {
    const log = process.output().toLowerCase();
    return sides.flatMap(({ mark, secrets }) => [
      ...[mark].filter((word) => log.includes(word)).map((word) => `the log of ${name} holds ${lineWith(log, word)}`),
      ...secrets.filter((secret) => log.includes(secret.toLowerCase())).map(() => `the log of ${name} holds a secret`),
    ]);
  });
}

const lineWith = (log: string, word: string): string => log.split('\n').find((line) => line.includes(word)) ?? word;

/** Plants a text of one tenant in a row of the other. */
async function plantLeak({ sql, sides: [own, other] }: MarkedWorld): Promise<void> {
  await sql.run(`
    update identity set display_name = (
      select other.display_name from identity other where other.tenant = '${other.tenant}' and other.id = 'fixed'
    ) where tenant = '${own.tenant}' and id = 'fixed'`);
}

function outcomeOf({ fleet, operations: all, sides }: MarkedWorld, seen: Seen, smallest: readonly string[]): Outcome {
  const { calls, refused, followed, compared, operations, leaks, told, crossed } = seen;
  return {
    counts: {
      calls,
      operations: `${operations.size} of ${all.length}`,
      refused,
      'ids given out': sides.reduce(
        (sum, side) => sum + side.requestIds.length + side.clientIds.length + side.exceptionIds.length,
        0,
      ),
      'answers compared': compared,
      'writes followed': followed,
      'bytes of logs': [...fleet.apis, ...fleet.workers].reduce((sum, { process }) => sum + process.output().length, 0),
      leaks: leaks.length,
      'answers that differ for foreign ids': told.length,
      'calls with effects on the other tenant': crossed.length,
    },
    broken: [
      ...summed('leaks', leaks),
      ...summed('answers that differ for foreign ids', told),
      ...summed('calls with effects on the other tenant', crossed),
      ...summed('smallest calls with a finding', smallest),
      ...fleet.crashes(),
    ],
  };
}
