import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne } from '../campaign/random.ts';
import { bytesOf, type HttpAnswer } from '../http/http-caller.ts';
import { requestOf, targetIdOf, UNKNOWN } from './cell-request.ts';
import { type Cell, cellsOf, drawCells, isAllowed } from './draw-cells.ts';
import { makeVictim } from './make-victim.ts';
import { PROMISED_RIGHTS, type PromisedRights } from './promised-rights.ts';
import { openRightsWorld, type RightsWorld, type TenantResources } from './rights-world.ts';

/** A1: who may do what is a table, and nothing beside it. */
export const rightsMatrix: Campaign = {
  id: 'A1',
  title: 'every set of capabilities and scopes at every operation, on own and foreign resources',
  unit: 'calls',
  // More than the matrix has: all of it.
  full: 100_000,
  short: 1_500,
  engines: ['sqlite', 'postgres'],
  run: async (run) => {
    await using world = await openRightsWorld(run.engine);
    const seen = await verifyMatrix(world, run, PROMISED_RIGHTS);
    return outcomeOf(world, seen);
  },
  control,
};

const LANES = 8;
const OPEN = [
  'POST /oauth/token',
  'GET /.well-known/jwks.json',
  'GET /.well-known/oauth-authorization-server',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /docs',
];

interface Fault {
  readonly kind: 'unlisted allow' | 'refusal of what is promised' | 'foreign id told from an unknown one';
  readonly cell: Cell;
  readonly text: string;
}

interface Seen {
  calls: number;
  allowed: number;
  denied: number;
  readonly cells: number;
  readonly verified: number;
  readonly faults: Fault[];
}

async function verifyMatrix(
  world: RightsWorld,
  { count, seed, log, signal }: CampaignRun,
  table: readonly PromisedRights[],
): Promise<Seen> {
  const random = createRandom(seed);
  const cells = cellsOf({ ...world, random }, PROMISED_RIGHTS);
  const drawn = drawCells(cells, { count, random, table: PROMISED_RIGHTS });
  const seen: Seen = { calls: 0, allowed: 0, denied: 0, cells: cells.length, verified: drawn.length, faults: [] };
  let next = 0;
  const work = async () => {
    for (let cell = drawn[next++]; cell !== undefined; cell = drawn[next++]) {
      signal.throwIfAborted();
      await verify(cell);
      if (next % 10_000 === 0) log(`${next} of ${drawn.length}, ${seen.faults.length} not as they must be`);
    }
  };
  const verify = async (cell: Cell) => {
    const resources = cell.target === 'foreign' ? world.foreign : await resourcesOf(cell, world);
    const answer = await world.caller.send(requestOf(cell, resources, world));
    const may = isAllowed(table, cell, targetIdOf(cell, resources));
    seen.calls++;
    seen[may ? 'allowed' : 'denied']++;
    const fault = faultOf(cell, answer, may);
    if (fault !== null) seen.faults.push({ cell, ...fault });
    if (!mustLookUnknown(cell, may, world)) return;
    const unknown = await world.caller.send(requestOf(cell, UNKNOWN, world));
    seen.calls++;
    if (bytesOf(unknown) !== bytesOf(answer))
      seen.faults.push({ kind: 'foreign id told from an unknown one', cell, text: describe(cell, answer) });
  };
  await Promise.all(Array.from({ length: LANES }, work));
  return seen;
}

/** What belongs to another tenant, and what is there where the caller may not learn of it for want of a capability. */
function mustLookUnknown({ operation, target, scopes }: Cell, may: boolean, { api }: RightsWorld): boolean {
  if (target === 'foreign') return !may || operation.id !== 'create-oauth-client-v1';
  return target === 'own' && !may && scopes.length === api.scopes.length;
}

/** What may be used up is made for it: the others still need theirs. */
const resourcesOf = async (cell: Cell, world: RightsWorld): Promise<TenantResources> =>
  isAllowed(PROMISED_RIGHTS, cell, null) ? makeVictim(cell.operation.id, world) : world.own;

function faultOf(cell: Cell, answer: HttpAnswer, may: boolean): Omit<Fault, 'cell'> | null {
  const text = describe(cell, answer);
  const refusal = cell.actor.isGone ? 401 : 403;
  if (!may) return answer.status === refusal ? null : { kind: 'unlisted allow', text };
  if (statusesOf(cell).includes(answer.status)) return null;
  return { kind: answer.status < 300 ? 'unlisted allow' : 'refusal of what is promised', text };
}

const SUCCESS = [200, 201, 202, 204];

/** What somebody is answered who may use the operation. */
function statusesOf({ operation, target, bad, scopes }: Cell): readonly number[] {
  // Of a batch each line is refused on its own.
  if (bad !== null) return [400, 415, ...(operation.id === 'start-predict-sod-violations-batch-v1' ? SUCCESS : [])];
  if (target === 'raising') return [403];
  // Without a worker no report is ever done: after some there is no room for more, and none has violations to read.
  if (target === 'none' && operation.id.startsWith('start-sod-')) return [...SUCCESS, 429];
  if (target === 'own' && operation.id === 'list-sod-report-violations-v1') return [409];
  if (target !== 'foreign') return SUCCESS;
  if (operation.id !== 'create-oauth-client-v1') return [404];
  return scopes.includes('tenants:manage') ? SUCCESS : [403];
}

function describe({ operation, actor, scopes, target, bad }: Cell, { status, text }: HttpAnswer): string {
  const by = `${actor.name} with ${scopes.length > 4 ? `${scopes.length} scopes` : scopes.join(' ') || 'no scope'}`;
  return `${operation.id} on ${target}${bad === null ? '' : ', badly sent,'} by ${by}: ${status} ${text.slice(0, 120)}`;
}

function outcomeOf({ api, fleet, actors }: RightsWorld, seen: Seen): Outcome {
  const { calls, cells, verified, allowed, denied, faults } = seen;
  const listed = new Set(PROMISED_RIGHTS.map(({ operationId }) => operationId));
  const unlisted = api.operations.filter(({ id }) => !listed.has(id));
  const texts = (kind: Fault['kind']) => faults.filter((fault) => fault.kind === kind).map(({ text }) => text);
  const strangers = api.open.filter((endpoint) => !OPEN.includes(endpoint));
  return {
    counts: {
      calls,
      'cells judged': verified,
      'cells of the matrix': cells,
      operations: api.operations.length,
      'not listed': unlisted.length,
      callers: actors.length,
      allowed,
      denied,
      'unlisted allows': texts('unlisted allow').length,
      'refusals of what is promised': texts('refusal of what is promised').length,
      'foreign ids told from unknown ones': texts('foreign id told from an unknown one').length,
    },
    broken: [
      ...summed('unlisted allows', texts('unlisted allow')),
      ...summed('refusals of what is promised', texts('refusal of what is promised')),
      ...summed('foreign ids told from unknown ones', texts('foreign id told from an unknown one')),
      ...summed('endpoints that need no token', strangers),
      ...summed('processes fallen', fleet.crashed),
    ],
  };
}

const CONTROL_CALLS = 1_500;

/** An identity that gains a capability behind everybody's back, and a table without one of its rows. */
async function control(run: CampaignRun): Promise<Outcome> {
  await using world = await openRightsWorld(run.engine);
  const part = { ...run, count: Math.min(run.count, CONTROL_CALLS) };
  const nobody = world.actors.find(({ identityId, capabilities }) => identityId !== null && capabilities.length === 0);
  await world.sql.run(
    `update identity set capabilities = '["ORG_ADMIN"]', is_org_admin = 1 where id = '${nobody?.identityId}'`,
  );
  const gained = (await verifyMatrix(world, part, PROMISED_RIGHTS)).faults.filter(({ cell }) => cell.actor === nobody);
  const served = PROMISED_RIGHTS.filter(
    ({ operationId, applications }) => applications && world.api.operations.some(({ id }) => id === operationId),
  );
  const left = drawOne(createRandom(run.seed), served);
  const table = PROMISED_RIGHTS.filter((row) => row !== left);
  const unlisted = (await verifyMatrix(world, part, table)).faults.filter(
    ({ cell, kind }) =>
      cell.operation.id === left.operationId && cell.actor.identityId === null && kind === 'unlisted allow',
  );
  const seen = [
    ...summed(
      'calls of an identity that has gained a capability',
      gained.map(({ text }) => text),
    ),
    ...summed(
      `calls of ${left.operationId}, which the table does not list`,
      unlisted.map(({ text }) => text),
    ),
  ];
  return { counts: { planted: 2, seen: seen.length }, broken: seen.length === 2 ? seen : [] };
}
