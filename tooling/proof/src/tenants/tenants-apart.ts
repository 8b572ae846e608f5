import { OPERATIONS, type Operation } from '@access-admin/contract';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { drawCases } from '../campaign/draw-cases.ts';
import { drawOne, type Random } from '../campaign/random.ts';
import type { Call, CallAnswer } from '../http/caller.ts';
import { openSql } from '../service/open-database.ts';
import type { Fleet } from '../service/open-fleet.ts';
import { drawCall } from './draw-call.ts';
import { collectionOf, type MarkedTenant, type MarkedWorld, openMarkedWorld } from './marked-tenants.ts';

/** Operations on tenants tell of others by their meaning, and have no tenant that they could be apart from. */
const DRAWN = OPERATIONS.filter(({ path }) => !path.startsWith('/tenants/'));

/** Find all that names an id in the tenant of the caller: also that a call has named one that only the other tenant has. */
const OF_TRACES: readonly string[] = ['export-personal-data-v1', 'erase-identity-v1'];

/** A2: a tenant can neither read nor change data of another one. */
export const tenantsApart: Campaign = {
  id: 'A2',
  title: 'two tenants with equal ids and a mark of the tenant in each text',
  unit: 'calls',
  full: 10_000,
  short: 1_000,
  engines: ['sqlite', 'postgres'],
  run: (run) => mix(run),
  control: (run) => mix({ ...run, count: Math.min(run.count, CONTROL_CALLS) }, plantLeak),
};

const CONTROL_CALLS = 1_000;
/** Number of calls between two searches of the public endpoints. */
const OPEN_EVERY = 250;
/** Of this many writes, one is followed by a comparison of the other tenant's export. */
const FOLLOWED = 10;

const KINDS = ['leaks', 'answers that differ for foreign ids', 'calls with effects on the other tenant'] as const;

interface Finding {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
}

async function mix(run: CampaignRun, tamper?: (world: MarkedWorld) => Promise<void>): Promise<Outcome> {
  await using world = await openMarkedWorld(run.engine);
  await tamper?.(world);
  const { fleet, sides } = world;
  const seen = { calls: 0, refused: 0, 'answers compared': 0, 'writes followed': 0, operations: new Set<string>() };
  const findings: Finding[] = [];
  const smallest = await drawCases(run, async (random, number) => {
    const found = await tryCall(world, number === null ? structuredClone(seen) : seen, random);
    if (number !== null) {
      findings.push(...found);
      if (number % OPEN_EVERY === 0) findings.push(...(await readOpen(world)));
      await fleet.renewTokens();
      if (number % 2_500 === 0) run.log(`${number} calls, ${findings.length} findings`);
    }
    return found[0]?.text ?? null;
  });
  findings.push(...(await readOpen(world)), ...readLogs(world));
  const texts = KINDS.map(
    (kind) => [kind, findings.filter((each) => each.kind === kind).map(({ text }) => text)] as const,
  );
  return {
    counts: {
      ...seen,
      operations: `${seen.operations.size} of ${DRAWN.length}`,
      'ids given out': sides.flatMap(({ ids }) => Object.values(ids).flat()).length,
      'bytes of logs': [...fleet.apis, ...fleet.workers].reduce((sum, { process }) => sum + process.output().length, 0),
      ...Object.fromEntries(texts.map(([kind, { length }]) => [kind, length])),
    },
    broken: [
      ...texts.flatMap(([kind, found]) => summed(kind, found)),
      ...summed('smallest calls with a finding', smallest),
      ...fleet.crashes(),
    ],
  };
}

interface Seen {
  calls: number;
  refused: number;
  'answers compared': number;
  'writes followed': number;
  readonly operations: Set<string>;
}

/** Draws a call and sends it; returns its findings. */
async function tryCall(world: MarkedWorld, seen: Seen, random: Random): Promise<readonly Finding[]> {
  const [own, other] = random(2) === 0 ? world.sides : ([world.sides[1], world.sides[0]] as const);
  const operation = drawOne(random, DRAWN);
  const isFollowed = operation.method !== 'GET' && random(FOLLOWED) === 0;
  const exported = isFollowed ? await exportOf(world, other) : null;
  const { call, ...drawn } = drawCall(operation, { own, other }, random);
  const innocent = OF_TRACES.includes(operation.id) ? null : drawn.innocent;
  const before = innocent?.method === 'GET' ? await world.send(innocent) : null;
  const answer = await world.send(call);
  const what = `${call.method} ${call.path} as ${own.tenant}: ${answer.status}`;
  seen.operations.add(operation.id);
  seen.calls++;
  if (answer.status >= 400) seen.refused++;
  for (const [id] of call.path.matchAll(ID)) own.named.add(id);
  const tellsOfCalls = OF_TRACES.includes(operation.id) || operation.path.startsWith('/audit-events/');
  const isNamed = (leak: string) => tellsOfCalls && own.named.has(leak);
  const findings = leaksIn(answer, world.fleet, other)
    .filter((leak) => !isNamed(leak))
    .map((leak): Finding => ({ kind: 'leaks', text: `${what} holds ${leak}` }));
  const add = (kind: Finding['kind'], text: string) => findings.push({ kind, text });
  if (answer.status === 0 || answer.status >= 500)
    add('calls with effects on the other tenant', `${what} ${answer.text.slice(0, 200)}`);
  remember(operation, answer, own);
  if (innocent !== null) {
    seen['answers compared']++;
    if (!(await isAnsweredAlike(world, { call, innocent, before, answer })))
      add('answers that differ for foreign ids', what);
  }
  if (exported !== null) {
    seen['writes followed']++;
    if ((await exportOf(world, other)) !== exported)
      add('calls with effects on the other tenant', `${what} changed it`);
  }
  return findings;
}

/** A read is compared this often when the data that it reads, such as events, change meanwhile; then it is a finding. */
const COMPARISONS_MAX = 4;

interface Compared {
  readonly call: Call;
  readonly innocent: Call;
  /** The answer to the innocent call before the call, if both are reads. */
  readonly before: CallAnswer | null;
  readonly answer: CallAnswer;
}

/** Whether a call has the same answer as the innocent call before or after it. */
async function isAnsweredAlike({ send }: MarkedWorld, { call, innocent, ...first }: Compared): Promise<boolean> {
  let { before, answer } = first;
  for (let count = 1; ; count++) {
    const after = await send(innocent);
    if (isAlike(answer, after) || (before !== null && isAlike(answer, before))) return true;
    // The data did not change between the innocent calls: what the call names explains the difference.
    if (before === null || isAlike(before, after) || count === COMPARISONS_MAX) return false;
    before = after;
    answer = await send(call);
  }
}

/** Equal but for signatures, and for a check or report that has progressed in between. */
const isAlike = (left: CallAnswer, right: CallAnswer): boolean =>
  unsigned(left) === unsigned(right) ||
  (left.status === 200 && right.status === 200 && isMoving(left, right)) ||
  (left.status === 409 && right.status === 200);

const unsigned = (answer: CallAnswer): string =>
  comparableText(answer)
    .replace(/"signature":"[^"]*"/, '')
    // A receipt is a compact JWS, whose last part is its signature.
    .replace(/^([\w-]+\.[\w-]+)\.[\w-]+$/m, '$1');

/** An answer without what differs between any two answers. */
function comparableText({ status, head, text }: CallAnswer): string {
  const own = /^(date|server-timing|x-request-id|x-as-of): .*\n/gm;
  // The register is read as of the moment of each answer.
  const moving = /("trackingId"|"asOf"|"lastEvaluatedDate"):(?:"[^"]*"|null)/g;
  return `${status}\n${head.replaceAll(own, '')}\n${text.replaceAll(moving, '$1:""')}`;
}

const isMoving = (left: CallAnswer, right: CallAnswer): boolean =>
  left.text.includes('"state":"RUNNING"') || stateIn(left) !== stateIn(right);

const stateIn = ({ text }: CallAnswer) => /"state":"(?:PENDING|RUNNING)"/.exec(text)?.[0];

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Texts and ids of another tenant in an answer. */
function leaksIn(
  { head, text }: Pick<CallAnswer, 'head' | 'text'>,
  fleet: Fleet,
  side: MarkedTenant,
): readonly string[] {
  const all = `${head}\n${text}`.toLowerCase();
  const shown = new Set(all.match(ID) ?? []);
  return [
    ...[side.mark, side.tenant].filter((word) => all.includes(word)),
    ...Object.values(side.ids)
      .flat()
      .filter((id) => shown.has(id)),
    ...secretsIn(all, fleet, side),
  ];
}

/** Names each secret and token in a text, without showing it: those of all callers, and of the clients of a tenant. */
const secretsIn = (text: string, { secrets: registered }: Fleet, { secrets }: MarkedTenant): readonly string[] =>
  [...registered, ...secrets].filter((secret) => text.includes(secret.toLowerCase())).map(() => 'a secret');

/** Records the id and the secret in an answer. */
function remember({ path }: Operation, { status, text }: CallAnswer, own: MarkedTenant): void {
  if (status !== 201 && status !== 202) return;
  const answer = Object(JSON.parse(text));
  const { secret = answer.token, id = answer.requestId } = answer;
  if (answer.reportId !== undefined) addId(own, 'sod-reports', answer.reportId);
  else if (id !== undefined) addId(own, collectionOf(path), id);
  if (secret !== undefined) own.secrets.push(secret);
}

function addId({ ids }: MarkedTenant, collection: string, id: string): void {
  ids[collection] = [...(ids[collection] ?? []), id];
}

async function exportOf({ fleet: { api } }: MarkedWorld, { callers: [caller] }: MarkedTenant): Promise<string> {
  const headers = { authorization: `Bearer ${caller?.token}` };
  return await (await fetch(`${api.baseAddress}/access-model/v1/export`, { headers })).text();
}

/** Texts of tenants in answers of public endpoints. */
async function readOpen({ fleet, sides, open }: MarkedWorld): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const path of open) {
    const answer = await fetch(`${fleet.api.baseAddress}${path}`);
    const read = { head: JSON.stringify([...answer.headers]), text: await answer.text() };
    for (const leak of sides.flatMap((side) => leaksIn(read, fleet, side)))
      findings.push({ kind: 'leaks', text: `${path} holds ${leak}` });
  }
  return findings;
}

/** Log lines name tenants, clients and identities, but no text and no secret of theirs. */
function readLogs({ fleet, sides }: MarkedWorld): readonly Finding[] {
  return [...fleet.apis, ...fleet.workers].flatMap(({ name, process }) => {
    const log = process.output().toLowerCase();
    const found = sides.flatMap((side) => [
      ...[side.mark].filter((word) => log.includes(word)).map((word) => lineWith(log, word)),
      ...secretsIn(log, fleet, side),
    ]);
    return found.map((leak): Finding => ({ kind: 'leaks', text: `the log of ${name} holds ${leak}` }));
  });
}

const lineWith = (log: string, word: string): string => log.split('\n').find((line) => line.includes(word)) ?? word;

/** Plants a text of one tenant in a row of the other. */
async function plantLeak({ fleet, sides: [own, other] }: MarkedWorld): Promise<void> {
  await using sql = await openSql(fleet.database);
  await sql.run(`
    update identity set display_name = (
      select other.display_name from identity other where other.tenant = '${other.tenant}' and other.id = 'fixed'
    ) where tenant = '${own.tenant}' and id = 'fixed'`);
}
