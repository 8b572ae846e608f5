import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  freePort,
  openFolder,
  openTestService,
  ROOT,
  type RunningApi,
  startNginx,
  startProcess,
  whyNoNginx,
} from '@access-admin/harness';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  alice,
  BATCHES,
  DECISIONS,
  EMPTY,
  REFUSED,
  REFUSED_SEARCHES,
  read,
  record1,
  SEARCHES,
} from './authzen/requests.ts';
import { fetchToken } from './fetch-token.ts';
import { runShell, sectionBlocks, withOwn } from './pages.ts';

const GUIDE = 'docs/guides/authzen.md';
const service = await openTestService();
let api: RunningApi;
let token = '';

const linesOf = (records: string) =>
  records
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  api = await service.startApi();
  token = await fetchToken(api.baseAddress, service.credentials);
  await api.client.accessModel.import(
    linesOf(readFileSync(join(import.meta.dirname, 'authzen/fixture.ndjson'), 'utf8')),
  );
});

afterAll(() => service[Symbol.asyncDispose]());

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${api.baseAddress}/access/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) };
}

const PERMITTED = { subject: alice, action: read, resource: record1 };

describe('the certification scenario, Basic', () => {
  test.each(Object.entries(DECISIONS))('%s', async (_, [request, decision]) => {
    // 2.6: again and again.
    for (let times = 0; times < 3; times++) {
      const { status, json } = await post('evaluation', request);
      expect([status, json.decision, typeof json.context]).toEqual([200, decision, 'object']);
    }
  });

  test.each(Object.entries(REFUSED))('%s', async (_, request) => {
    expect((await post('evaluation', request)).status).toBe(400);
  });

  test('2.4.3 to 2.4.5 another type, no JSON, no body', async () => {
    expect((await post('evaluation', JSON.stringify(PERMITTED), { 'content-type': 'text/plain' })).status).toBe(400);
    expect((await post('evaluation', '{"subject":')).status).toBe(400);
    expect((await post('evaluation', '')).status).toBe(400);
  });

  test('2.5 X-Request-ID', async () => {
    const id = 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716';
    for (const path of ['evaluation', 'evaluations', 'search/subject', 'search/resource', 'search/action'])
      expect((await post(path, PERMITTED, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
    expect((await post('evaluation', PERMITTED)).status).toBe(200);
  });
});

describe('the certification scenario, Batch', () => {
  test.each(Object.entries(BATCHES))('%s', async (_, [request, decisions]) => {
    const { status, json } = await post('evaluations', request);
    const found = json.evaluations.map((each: { decision: boolean }) => each.decision);
    expect([status, found]).toEqual([200, decisions.map((each) => each ?? expect.any(Boolean))]);
  });

  test('3.4.2, 3.4.3 without evaluations it is one evaluation', async () => {
    for (const rest of [{}, { evaluations: [] }])
      expect((await post('evaluations', { ...PERMITTED, ...rest })).json).toMatchObject({ decision: true });
  });
});

describe('the certification scenario, Search', () => {
  test.each(Object.entries(SEARCHES))('%s', async (_, [kind, request, expected]) => {
    const { status, json } = await post(`search/${kind}`, request);
    expect([status, json.results]).toEqual([200, expect.arrayContaining([...expected])]);
  });

  test.each(Object.entries(EMPTY))('%s', async (_, [kind, request]) => {
    const { status, json } = await post(`search/${kind}`, request);
    expect([status, json.results]).toEqual([200, []]);
  });

  test.each(Object.entries(REFUSED_SEARCHES))('%s', async (_, [kind, request]) => {
    expect((await post(`search/${kind}`, request)).status).toBe(400);
  });

  test('4.5 pages', async () => {
    const request = { subject: { type: 'user' }, action: read, resource: record1 };
    const first = (await post('search/subject', { ...request, page: { limit: 1 } })).json;
    expect(first).toMatchObject({ page: { next_token: expect.stringMatching(/./), count: 1 }, results: [alice] });
    const second = (await post('search/subject', { ...request, page: { token: first.page.next_token } })).json;
    expect(second).toMatchObject({ page: { next_token: '' }, results: [{ type: 'user', id: 'bob' }] });
  });
});

test('the certification scenario, Discovery', async () => {
  const response = await fetch(`${api.baseAddress}/.well-known/authzen-configuration`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  const { signed_metadata, ...metadata } = JSON.parse(await response.text());
  expect(metadata).toMatchObject({ policy_decision_point: api.baseAddress });
  for (const [name, url] of Object.entries(metadata))
    expect([name, new URL(String(url)).href]).toEqual([name, expect.stringContaining(api.baseAddress)]);
  const [head = '', claims = '', signature = ''] = signed_metadata.split('.');
  const { keys } = JSON.parse(await (await fetch(`${api.baseAddress}/.well-known/jwks.json`)).text());
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const jwk = keys.find((each: { readonly kid: string }) => each.kid === kid);
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({ iss: api.baseAddress, ...metadata });
});

test('the first decision of the guide, pasted into a shell, is the one that it shows', async () => {
  const office = await openTestService();
  onTestFinished(() => office[Symbol.asyncDispose]());
  const { baseAddress, client } = await office.startApi();
  await client.accessModel.import(linesOf(readFileSync(join(ROOT, 'tooling/sample/sample.ndjson'), 'utf8')));
  const file = join(office.folder, 'bootstrap-client.json');
  writeFileSync(file, JSON.stringify(office.credentials, null, 2));
  const [command = ''] = sectionBlocks(GUIDE, 'A first decision');
  const [shown = ''] = sectionBlocks(GUIDE, 'A first decision', 'json');
  const { stdout, stderr } = runShell(withOwn(command, { 'var/bootstrap-client.json': file }), {
    PORT: new URL(baseAddress).port,
  });
  expect([JSON.parse(stdout), stderr]).toEqual([expect.objectContaining({ decision: false }), '']);
  expect(JSON.parse(stdout)).toMatchObject(JSON.parse(shown));
});

test('the gateway of the guide is installed like the program of the page about programs', () => {
  const [install = ''] = sectionBlocks('docs/start/your-program.md', '');
  expect(sectionBlocks(GUIDE, 'A gateway')).toEqual([withOwn(install, { '../example': '../gateway' })]);
});

/** Starts the gateway of the guide at a free port, on a service with the records of the guide. Resolves once it decides. */
async function startGateway(): Promise<number> {
  const [records = ''] = sectionBlocks(GUIDE, 'A gateway', 'ndjson');
  await api.client.accessModel.import(linesOf(records));
  const [program = ''] = sectionBlocks(GUIDE, 'A gateway', 'js');
  const port = await freePort();
  const { clientId, clientSecret } = service.credentials;
  const gateway = startProcess(
    [process.execPath, '--input-type=module', '-e', withOwn(program, { '9000': String(port) })],
    {
      cwd: import.meta.dirname,
      env: { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORT: new URL(api.baseAddress).port },
    },
  );
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  await expect.poll(() => askGateway(port, 'carla', 'GET', '/invoices/7').catch(() => 0)).toBe(204);
  return port;
}

async function askGateway(port: number, user: string, method: string, uri: string): Promise<number> {
  const headers = { 'x-user': user, 'x-method': method, 'x-uri': uri };
  return (await fetch(`http://127.0.0.1:${port}/`, { headers })).status;
}

test('the gateway of the guide lets through what the service permits', async () => {
  const port = await startGateway();
  expect(await askGateway(port, 'carla', 'PUT', '/invoices/7')).toBe(403);
  expect(await askGateway(port, 'nobody', 'GET', '/invoices/7')).toBe(403);
  expect(await askGateway(port, 'carla', 'GET', '/payroll')).toBe(403);
});

if (whyNoNginx !== null) process.stderr.write(`nginx of ${GUIDE} is not run: ${whyNoNginx}\n`);

test.skipIf(whyNoNginx !== null)(
  'nginx of the guide serves what the gateway permits to whom it authenticates',
  async () => {
    const gatewayPort = await startGateway();
    const served: string[] = [];
    const application = createServer(async (request, response) => {
      served.push(`${request.method} ${request.url} ${await text(request)}`);
      response.end();
    });
    await once(application.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void application.close());
    const folder = openFolder('authzen');
    onTestFinished(() => folder[Symbol.dispose]());
    const users = join(folder.path, 'users');
    writeFileSync(users, 'carla:{PLAIN}right\nmallory:{PLAIN}right\n');
    const [lines = ''] = sectionBlocks(GUIDE, 'A gateway', 'nginx');
    const own = withOwn(lines, {
      'http://127.0.0.1:3000': `http://127.0.0.1:${Object(application.address()).port}`,
      'http://127.0.0.1:9000': `http://127.0.0.1:${gatewayPort}`,
      '/etc/nginx/users': users,
    });
    const proxy = await startNginx('localhost', `server { listen 443 default_server; ${own} }`);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const ask = async (as: string | null, path: string, init: RequestInit = {}) => {
      const headers: Record<string, string> = as === null ? {} : { authorization: `Basic ${btoa(as)}` };
      return (await fetch(`http://127.0.0.1:${proxy.port}${path}`, { ...init, headers })).status;
    };
    const grants = ['GET', 'POST'].map((action) => ({ resourceType: 'route', resourceId: 'invoices', action }));
    await api.client.accessModel.import([{ kind: 'entitlement', id: 'billing-read', name: 'Billing: read', grants }]);
    expect(await ask('carla:right', '/invoices/7?page=2')).toBe(200);
    expect(await ask('carla:right', '/invoices', { method: 'POST', body: 'An invoice' })).toBe(200);
    expect(await ask('carla:right', '/invoices/7', { method: 'PUT', body: 'Another one' })).toBe(403);
    expect(await ask('carla:right', '/payroll')).toBe(403);
    expect(await ask('mallory:right', '/invoices/7')).toBe(403);
    // nginx refuses a request that it has not authenticated, whatever name the request carries.
    expect(await ask('carla:wrong', '/invoices/7')).toBe(401);
    expect([401, 403]).toContain(await ask(null, '/invoices/7'));
    expect(await ask('carla:right', '/permitted')).toBe(404);
    expect(served).toEqual(['GET /invoices/7?page=2 ', 'POST /invoices An invoice']);
  },
);
