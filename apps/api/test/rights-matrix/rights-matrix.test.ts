import { cases, SEED } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import { listen } from '../listen.ts';
import { shareTestApi } from '../share-test-api.ts';
import { type CellRequest, requestOf, type TenantResources, targetIdOf, UNKNOWN } from './cell-request.ts';
import { type Cell, createCells, isAllowed, sampleCells } from './cells.ts';
import { PROMISED_RIGHTS, type PromisedRights } from './promised-rights.ts';
import { createMatrixWorld, identity, type MatrixWorld } from './world.ts';

// Campaign A1 runs this file with more calls than the matrix has cells.
const CALLS = cases({ reduced: 300, full: 10_000 });
const CONTROL_CALLS = Math.min(CALLS, 1_500);
const TIMEOUT_MS = 3_600_000;
/** Every n-th call is repeated over HTTP. */
const HTTP_SAMPLE = 20;
const LANES = 8;
const SUCCESS = [200, 201, 202, 204];
const OPEN = [
  'POST /oauth/token',
  'GET /.well-known/jwks.json',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/authzen-configuration',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /asyncapi.json',
  'GET /docs',
  'GET /sessions/v1/current',
];
const NOT_FOR_ONESELF = ['remove-credential-v1', 'unlock-auth-user-v1'];

interface CellResponse {
  readonly status: number;
  /** The response without the values that differ between any two. */
  readonly bytes: string;
  readonly text: string;
}
type Send = (request: CellRequest, token: string) => Promise<CellResponse>;

interface Deviation {
  readonly kind:
    | 'unlisted allow'
    | 'denied although promised'
    | 'foreign id distinguishable from an unknown one'
    | 'HTTP differs';
  readonly cell: Cell;
  readonly text: string;
}

function answerOf(status: number, headers: Headers, text: string): CellResponse {
  const ignored = ['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];
  const shown = [...headers].filter(([name]) => !ignored.includes(name)).sort();
  const bytes = `${status} ${JSON.stringify(shown)} ${text.replaceAll(/"trackingId":"[0-9a-f]{32}"/g, '')}`;
  return { status, bytes, text };
}

const sendInProcess =
  ({ api }: MatrixWorld): Send =>
  async ({ method, path, headers, body }, token) => {
    const answer = await api.call(method, path, { token, headers, ...(body === null ? {} : { body }) });
    return answerOf(answer.status, answer.headers, answer.text);
  };

async function sendOverHttp({ api }: MatrixWorld): Promise<Send> {
  const port = await listen(api.app);
  return async ({ method, path, headers, body }, token) => {
    const init = { method, headers: { ...headers, authorization: `Bearer ${token}` }, body };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return answerOf(answer.status, answer.headers, await answer.text());
  };
}

/** Makes the calls of the cells, and compares the answers with the table. */
async function callMatrix(world: MatrixWorld, cells: readonly Cell[], table: readonly PromisedRights[]) {
  const inProcess = sendInProcess(world);
  const overHttp = await sendOverHttp(world);
  const seen = { calls: 0, allowed: 0, denied: 0, overHttp: 0, deviations: [] as Deviation[] };
  const call = async (cell: Cell, place: number) => {
    const resources = await resourcesOf(cell, world);
    const token = await world.tokenOf(cell.actor.clientId, cell.scopes);
    const answer = await inProcess(requestOf(cell, resources, world.scopes), token);
    const may = isAllowed(table, cell, targetIdOf(cell, resources));
    const report = (kind: Deviation['kind'], found = answer) =>
      seen.deviations.push({ kind, cell, text: describe(cell, found) });
    seen.calls++;
    seen[may ? 'allowed' : 'denied']++;
    const fault = deviationOf(cell, answer, may);
    if (fault !== null) report(fault);
    if (place % HTTP_SAMPLE === 0) {
      const repeated = await overHttp(requestOf(cell, await resourcesOf(cell, world), world.scopes), token);
      seen.overHttp++;
      const other = deviationOf(cell, repeated, may);
      if (other !== null) report(other, repeated);
      if (!may && repeated.bytes !== answer.bytes) report('HTTP differs', repeated);
    }
    if (!mustLookUnknown(cell, may, world)) return;
    const unknown = await inProcess(requestOf(cell, UNKNOWN, world.scopes), token);
    seen.calls++;
    if (unknown.bytes !== answer.bytes) report('foreign id distinguishable from an unknown one');
  };
  const left = cells.entries();
  const work = async () => {
    for (const [place, cell] of left) await call(cell, place);
  };
  await Promise.all(Array.from({ length: LANES }, work));
  return seen;
}

/** The operations that work on other tenants, for callers with `tenants:manage`. */
const OF_OTHER_TENANTS = ['create-oauth-client-v1', 'get-tenant-v1', 'delete-tenant-v1'];

/** Foreign resources, and existing ones that the caller may not see for lack of a capability. */
function mustLookUnknown({ operation, target, scopes }: Cell, may: boolean, world: MatrixWorld): boolean {
  if (target === 'foreign') return !may || !OF_OTHER_TENANTS.includes(operation.id);
  return target === 'own' && !may && scopes.length === world.scopes.length;
}

async function resourcesOf(cell: Cell, world: MatrixWorld): Promise<TenantResources> {
  if (cell.target === 'foreign') return world.foreign;
  return isAllowed(PROMISED_RIGHTS, cell, null) ? world.createExpendable(cell.operation.id) : world.own;
}

function deviationOf(cell: Cell, { status }: CellResponse, may: boolean): Deviation['kind'] | null {
  if (!may) return status === (cell.actor.isDeleted ? 401 : 403) ? null : 'unlisted allow';
  if (statusesOf(cell).includes(status)) return null;
  return status < 300 ? 'unlisted allow' : 'denied although promised';
}

const OF_FIX_PLANS = ['list-sod-fix-steps-v1', 'list-sod-unsolvable-violations-v1', 'hand-over-sod-fix-step-v1'];

const NEEDS_ITS_SCOPES = [
  'patch-oauth-client-v1',
  'rotate-oauth-client-secret-v1',
  'create-bearer-token-v1',
  'delete-bearer-token-v1',
];

/** The statuses for a caller that may use the operation. */
function statusesOf({ operation, target, bad, scopes, actor }: Cell): readonly number[] {
  // A bad line of a part is a fault of its load, which is told once that is committed.
  if (bad !== null && operation.id === 'put-source-load-part-v1')
    return [400, 415, ...(target === 'foreign' ? [404] : SUCCESS)];
  // A batch refuses each of its lines separately.
  if (bad !== null) return [400, 415, ...(operation.id === 'start-predict-sod-violations-batch-v1' ? SUCCESS : [])];
  if (target === 'raising') return [403];
  // The request does not confirm which tenant is to be removed, or which person to be erased.
  if (operation.id === 'delete-tenant-v1' || operation.id === 'erase-identity-v1') return [400];
  // A caller with `tenants:manage` sees every tenant.
  if (operation.id === 'get-tenant-v1') return SUCCESS;
  // One's own credentials are changed at /account, after a proof.
  if (target === 'self' && NOT_FOR_ONESELF.includes(operation.id)) return [403];
  // Without a worker no report completes: the queue fills up, and no report has violations to read.
  if (target === 'none' && operation.id.startsWith('start-sod-')) return [...SUCCESS, 429];
  if (target === 'own' && operation.id === 'list-sod-report-violations-v1') return [409];
  // The report is a scan.
  if (target === 'own' && OF_FIX_PLANS.includes(operation.id)) return [404];
  // The identity has an exception from the policy already.
  if (target === 'own' && operation.id === 'apply-control-v1') return [409];
  // A caller that changes a client, its secret or its static tokens must have its scopes.
  if (target === 'own' && NEEDS_ITS_SCOPES.includes(operation.id) && !scopes.includes('auth-users:read')) return [403];
  if (target !== 'foreign') return SUCCESS;
  if (operation.id !== 'create-oauth-client-v1') return [404];
  // Operations on tenants are for applications.
  return scopes.includes('tenants:manage') && actor.identityId === null ? SUCCESS : [403];
}

function describe({ operation, actor, scopes, target, bad }: Cell, { status, text }: CellResponse): string {
  const by = `${actor.name} with ${scopes.length > 4 ? `${scopes.length} scopes` : scopes.join(' ') || 'no scope'}`;
  return `${operation.id} on ${target}${bad === null ? '' : ', malformed,'} by ${by}: ${status} ${text.slice(0, 120)}`;
}

const openWorld = shareTestApi(createMatrixWorld);
const cellsOf = (world: MatrixWorld) => createCells({ ...world, seed: SEED });

test('every operation allows what the table lists and denies everything else', { timeout: TIMEOUT_MS }, async ({
  task,
}) => {
  const world = openWorld();
  const cells = cellsOf(world);
  const drawn = sampleCells(cells, CALLS, SEED);
  const { deviations, ...counts } = await callMatrix(world, drawn, PROMISED_RIGHTS);
  const listed = new Set(PROMISED_RIGHTS.map(({ operationId }) => operationId));
  const unlisted = world.operations.filter(({ id }) => !listed.has(id));
  Object.assign(task.meta, {
    counts: {
      ...counts,
      cells: drawn.length,
      'cells of the matrix': cells.length,
      callers: world.actors.length,
      operations: world.operations.length,
      'operations not listed': unlisted.length,
    },
  });
  expect(world.api.lines.filter(({ message }) => message === 'bug')).toEqual([]);
  const [first] = deviations.map(({ kind, text }) => `${kind}: ${text}`);
  expect(deviations, first).toEqual([]);
  expect(world.open.filter((endpoint) => !OPEN.includes(endpoint))).toEqual([]);
  expect(counts.allowed).toBeGreaterThan(drawn.length / 20);
});

test('control: a row that is missing from the table is found', { timeout: TIMEOUT_MS }, async () => {
  const world = openWorld();
  const served = PROMISED_RIGHTS.filter(
    ({ operationId, applications }) => applications && world.operations.some(({ id }) => id === operationId),
  );
  const removed = served[SEED % served.length];
  const table = PROMISED_RIGHTS.filter((row) => row !== removed);
  const cells = cellsOf(world).filter(
    ({ operation, actor }) => operation.id === removed?.operationId && !actor.identityId,
  );
  const { deviations } = await callMatrix(world, sampleCells(cells, CONTROL_CALLS, SEED), table);
  expect(deviations.filter(({ kind }) => kind === 'unlisted allow').length).toBeGreaterThan(0);
});

// Last, because it changes the shared world.
test('control: a capability that was added unknown to the table is found', { timeout: TIMEOUT_MS }, async () => {
  const world = openWorld();
  const powerless = world.actors.find(
    ({ identityId, capabilities }) => identityId !== null && capabilities.length === 0,
  );
  await world.api.importRecords([identity(powerless?.identityId ?? '', ['ORG_ADMIN'])]);
  const ownCells = cellsOf(world).filter(({ actor }) => actor === powerless);
  const { deviations } = await callMatrix(world, sampleCells(ownCells, CONTROL_CALLS, SEED), PROMISED_RIGHTS);
  expect(deviations.length).toBeGreaterThan(0);
});
