import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type ClientRequest, type RequestOptions, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type AccessAdminClient,
  createClient,
  verifyAuditEvents,
  verifyAuditHead,
  verifyReceipt,
} from '@access-admin/client';
import {
  createTestDatabase,
  openFolder,
  openService,
  ROOT,
  type RunningNginx,
  startNginx,
  startProcess,
  whyNoNginx,
} from '@access-admin/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwn } from './pages.ts';
import { FORBIDDEN_GRANT, SMALL_COMPANY } from './small-company.ts';

const FOLDER = join(ROOT, 'deploy/groups');
const DOMAIN = 'access.example.com';
const hostOf = (tenant: string) => `${tenant}.${DOMAIN}`;
const ENV = {
  BASE_ADDRESS: `https://{tenant}.${DOMAIN}`,
  TRUSTED_PROXIES: '127.0.0.1',
  SECRET_KEY: 'a key that both groups have, of 32 characters'.replaceAll(' ', '-'),
};
const PASSWORD = 'a long enough sentence';
const SCOPES = [
  'access-model:manage',
  'audit-events:read',
  'auth-users:manage',
  'auth-users:read',
  'events:read',
  'oauth-clients:manage',
  'sod-policies:read',
  'sod-violations:manage',
  'sod-violations:read',
  'ui-metadata:manage',
  'ui-metadata:read',
  'webhooks:manage',
] as const;

/** What an identity without access must not get. */
const CONFLICT = {
  identityId: 'i-eve',
  accessRefs: [
    { type: 'ROLE', id: 'r-payments' },
    { type: 'ENTITLEMENT', id: 'e-vendor' },
  ] as const,
};

interface Group {
  readonly url: string;
  readonly address: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
}

describe.skipIf(whyNoNginx !== null)('two groups of tenants behind nginx', () => {
  const stack = new AsyncDisposableStack();
  let groups: readonly [Group, Group];
  const folder = stack.use(openFolder('groups'));
  /** Of a tenant in a group, such as `group-1/acme`. */
  const fileOf = (place: string) => join(folder.path, `${place}.${DOMAIN}`);
  let send: Call;

  async function openGroup(): Promise<Group> {
    const database = await createTestDatabase();
    stack.defer(database.remove);
    const service = stack.use(openService({ databaseUrl: database.url }));
    const { baseAddress } = await service.startApi(ENV);
    service.startWorker(ENV);
    return { url: database.url, address: new URL(baseAddress).host, credentials: service.credentials };
  }

  beforeAll(async () => {
    groups = [await openGroup(), await openGroup()];
    const config = withOwn(readFileSync(join(FOLDER, 'nginx.conf'), 'utf8'), {
      '127.0.0.1:8081': groups[0].address,
      '127.0.0.1:8082': groups[1].address,
      '/etc/nginx/groups': folder.path,
    });
    for (const place of ['group-1/acme', 'group-1/near', 'group-2/far'].map(fileOf)) {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, '');
    }
    send = throughProxy(stack.use(await startNginx(`*.${DOMAIN}`, config)));
  });

  afterAll(() => stack.disposeAsync());

  const clientOf = (tenant: string, credentials: Group['credentials'], retries: number) =>
    createClient({ baseAddress: `https://${hostOf(tenant)}`, fetch: send, retries, ...credentials });

  /** The operator of a group has its tenant `default` at a host that is the group's. */
  async function createTenant(group: Group, tenant: string, retries: number): Promise<AccessAdminClient> {
    const operator = createClient({
      baseAddress: `https://${hostOf('default')}`,
      fetch: directly(group.address),
      ...group.credentials,
    });
    const { id, secret } = await operator.oauthClients.create({ name: 'first', scopes: SCOPES, tenant });
    const client = clientOf(tenant, { clientId: id, clientSecret: secret }, retries);
    await client.accessModel.import(SMALL_COMPANY);
    return client;
  }

  const move = (host: string, to: string, env: Readonly<Record<string, string>> = {}) =>
    startProcess([join(FOLDER, 'move-tenant.sh'), host, to], {
      cwd: folder.path,
      env: {
        ...ENV,
        DATABASE_URL: groups[0].url,
        TARGET_DATABASE_URL: groups[1].url,
        GROUPS_FOLDER: folder.path,
        DRAIN_SECONDS: '1',
        ACCESS_ADMIN: [process.execPath, join(ROOT, 'apps/server/bin/access-admin.mjs')].join(' '),
        ...env,
      },
    });

  test('a tenant moves under load: nothing is lost, no answer is wrong, and others notice nothing', async () => {
    const near = await createTenant(groups[0], 'near', 0);
    const far = await createTenant(groups[1], 'far', 0);
    // Patient: how long a pause lasts depends on the machine.
    const acme = await createTenant(groups[0], 'acme', 60);
    const { requestId } = await acme.sodViolations.check(FORBIDDEN_GRANT);
    await acme.sodViolations.waitForCheck(requestId);
    await acme.webhooks.create({ name: 'hook', url: 'https://hooks.example.com/', types: ['*'], enabled: false });
    const receipt = await acme.sodViolations.receipt(requestId);
    const session = await signIn(send, (await acme.authUsers.createSignInLink('i-ada')).url, {
      password: PASSWORD,
      repeated: PASSWORD,
    });
    await acme.accessModel.import([
      {
        kind: 'identity',
        id: 'i-ben',
        uid: 'ben',
        identityProfile: 'ip-staff',
        access: [
          { type: 'ROLE', id: 'r-payments' },
          { type: 'ENTITLEMENT', id: 'e-vendor' },
        ],
      },
    ]);
    const listAll = async (client: AccessAdminClient) => ({
      // All but what is written meanwhile.
      model: (await Array.fromAsync(client.accessModel.export())).filter(({ kind }) => kind !== 'uiMetadata'),
      check: await client.sodViolations.getCheck(requestId),
      clients: await Array.fromAsync(client.oauthClients.list()),
      webhooks: await Array.fromAsync(client.webhooks.list()),
      violations: (await Array.fromAsync(client.violations.list())).map(
        ({ lastEvaluatedDate: _, ...violation }) => violation,
      ),
    });
    await expect.poll(async () => (await listAll(acme)).violations).toHaveLength(1);
    const before = await listAll(acme);
    const head = await acme.auditEvents.head();
    const logBefore = await Array.fromAsync(acme.auditEvents.export());
    const eventsBefore = await Array.fromAsync(acme.events.list());

    const { violationContexts: expected } = await near.sodViolations.predict(CONFLICT);
    expect(expected).toMatchObject([{ policy: { id: 'p-1' }, preexisting: false }]);
    const wrong: unknown[] = [];
    const acknowledged: string[] = [];
    let isMoving = true;
    const predict = async (client: AccessAdminClient) => {
      let count = 0;
      for (; isMoving || count === 0; count++) {
        const { violationContexts } = await client.sodViolations.predict(CONFLICT);
        if (!isDeepStrictEqual(violationContexts, expected)) wrong.push(violationContexts);
      }
      return count;
    };
    const write = async () => {
      for (let number = 1; isMoving; number++) {
        await acme.uiMetadata.set({ usernameLabel: `Badge ${number}` });
        acknowledged.push(`Badge ${number}`);
      }
    };
    const load = [predict(near), predict(far), predict(acme), write()];
    await expect.poll(() => acknowledged.length).toBeGreaterThan(3);
    const running = move(hostOf('acme'), 'group-2');
    const { code } = await running.ended;
    expect([code, running.output()]).toEqual([0, expect.stringContaining('acme is at group-2')]);
    const atMove = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(atMove + 3);
    isMoving = false;
    const counts = await Promise.all(load);
    expect([wrong, counts.filter((count) => count === 0)]).toEqual([[], []]);

    // All that was acknowledged is in the one log, in order; a write whose answer was lost may be there twice.
    expect(await listAll(acme)).toEqual(before);
    const log = await Array.fromAsync(acme.auditEvents.export());
    expect(log.slice(0, logBefore.length)).toEqual(logBefore);
    const labels = log.flatMap(({ changes }) =>
      changes.flatMap(({ field, after }) => (field === 'usernameLabel' ? [after] : [])),
    );
    expect([...new Set(labels)]).toEqual(acknowledged);
    const events = await Array.fromAsync(acme.events.list());
    expect(events.slice(0, eventsBefore.length)).toEqual(eventsBefore);
    const told = events.map(({ data }) => Object(data).usernameLabel).filter((label) => typeof label === 'string');
    expect([...new Set(told)]).toEqual(acknowledged);

    // What was signed, and who was signed in.
    const jwks = Object(await (await send(`https://${hostOf('acme')}/.well-known/jwks.json`)).json());
    expect(await verifyReceipt(receipt, { jwks })).toMatchObject({ violatedPolicies: ['p-1'] });
    const heads = [await verifyAuditHead(head, { jwks })];
    expect(await verifyAuditEvents(log, { heads })).toEqual({ sequence: log.length, fault: null, erased: 0 });
    const account = await send(`https://${hostOf('acme')}/account`, { headers: { cookie: session } });
    expect(account.status).toBe(200);
    expect(await signIn(send, `https://${hostOf('acme')}/login`, { username: 'ada', password: PASSWORD })).toContain(
      'session',
    );
  });

  test('a tenant whose move is refused stays where it was, and serves again', async () => {
    const refused = move(hostOf('near'), 'group-2', { SECRET_KEY: 'another-key-of-at-least-32-characters' });
    expect((await refused.ended).code).toBe(1);
    expect(refused.output()).toContain('near is at group-1 as before');
    expect((await send(`https://${hostOf('near')}/login`)).status).toBe(200);
    for (const [tenant, to, told] of [
      ['near', 'group-1', 'near.access.example.com is in no other group than group-1'],
      ['nobody', 'group-1', 'nobody.access.example.com is in no other group than group-1'],
      ['near', 'group-3', 'there is no folder'],
    ] as const) {
      const running = move(hostOf(tenant), to);
      expect((await running.ended).code).toBeGreaterThan(0);
      expect(running.output()).toContain(told);
    }
    expect(existsSync(fileOf('paused/near'))).toBe(false);
  });

  test('a tenant whose move was interrupted is paused until it is repeated; an unknown one is not there', async () => {
    const interrupted = move(hostOf('near'), 'group-2', { ACCESS_ADMIN: join(ROOT, 'no-such-command') });
    expect((await interrupted.ended).code).toBe(127);
    expect(interrupted.output()).toContain('near is paused: run it again');
    const paused = await send(`https://${hostOf('near')}/healthz`);
    expect([paused.status, paused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await paused.json()).toMatchObject({ detailCode: '503', trackingId: expect.stringMatching(/./) });
    const unknown = await send(`https://${hostOf('nobody')}/healthz`);
    expect([unknown.status, await unknown.json()]).toEqual([404, expect.objectContaining({ detailCode: '404' })]);

    const again = move(hostOf('near'), 'group-2');
    expect([(await again.ended).code, again.output()]).toEqual([0, expect.stringContaining('near is at group-2')]);
    expect((await send(`https://${hostOf('near')}/login`)).status).toBe(200);
    expect(['group-1/near', 'group-2/near', 'paused/near'].map((place) => existsSync(fileOf(place)))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

type Call = (url: string, init?: RequestInit) => Promise<Response>;

/** Calls hosts of https at nginx, whose certificate is its own authority. */
function throughProxy({ port, certificate }: RunningNginx): Call {
  const ca = readFileSync(certificate);
  return (url, init) => {
    const { hostname, pathname, search } = new URL(url);
    const to = { host: '127.0.0.1', port, servername: hostname, ca, path: pathname + search };
    return exchange((options) => requestTls({ ...to, ...options }), hostname, init);
  };
}

/** Calls hosts at the API of a group. */
const directly =
  (address: string): Call =>
  (url, init) => {
    const { hostname, pathname, search } = new URL(url);
    return exchange((options) => request(`http://${address}${pathname}${search}`, options), hostname, init);
  };

/** `fetch` looks hosts up by their names, which these have only here. */
function exchange(
  open: (options: RequestOptions) => ClientRequest,
  host: string,
  { method = 'GET', headers, body = null, signal = null }: RequestInit = {},
): Promise<Response> {
  const content = body instanceof URLSearchParams ? body.toString() : body;
  const sent = new Headers(headers);
  if (body instanceof URLSearchParams) sent.set('content-type', 'application/x-www-form-urlencoded');
  return new Promise((resolve, reject) => {
    const outgoing = open({ method, headers: { ...Object.fromEntries(sent), host }, ...(signal && { signal }) });
    outgoing.once('error', reject);
    outgoing.once('response', async (answer) => {
      const received = new Headers();
      for (const [name, values] of Object.entries(answer.headersDistinct))
        for (const value of values ?? []) received.append(name, value);
      const status = answer.statusCode ?? 0;
      try {
        const bytes = Buffer.concat(await answer.toArray());
        resolve(new Response(status === 204 ? null : bytes, { status, headers: received }));
      } catch (error) {
        reject(error);
      }
    });
    outgoing.end(content);
  });
}

/** Signs in by a link, or by a name and a password; returns the cookies. */
async function signIn(call: Call, url: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const body = new URLSearchParams(fields);
  const { status, headers } = await call(url, { method: 'POST', body, headers: { origin: new URL(url).origin } });
  expect(status).toBe(303);
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
