import { writeFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import type { Account, Source } from '@access-admin/client';
import {
  openFolder,
  openTestService,
  type RunningApi,
  type Service,
  type TemporaryFolder,
} from '@access-admin/harness';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';
import { ndjson } from './run-here.ts';

const PEOPLE = 'user;name;entitlement;end\nanna;Anna;pay;31.12.2036\nanna;Anna;vendor;\nbob;Bob;pay;\n';
const FROM = ['--from', 'csv', 'people.csv'];
/** The tests have names of access in common, which are the same things. */
const ARGS = [...FROM, '--prefix', ''];

let service: Service;
let api: RunningApi;
let folder: TemporaryFolder;
let proxy: Awaited<ReturnType<typeof startProxy>>;

beforeAll(async () => {
  service = await openTestService();
  api = await service.startApi();
  service.startWorker();
  proxy = await startProxy();
  await api.client.accessModel.import([
    { kind: 'identityProfile', id: 'ip', name: 'Staff' },
    { kind: 'identity', id: 'i-anna', uid: 'anna', identityProfile: 'ip' },
    { kind: 'identity', id: 'i-bob', uid: 'bob', identityProfile: 'ip' },
  ]);
});

afterAll(async () => {
  proxy[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

beforeEach(() => {
  passed.length = 0;
  fates.length = 0;
  folder = openFolder('loads');
  write(PEOPLE);
});

afterEach(() => folder[Symbol.dispose]());

const write = (text: string, name = 'people.csv') => writeFileSync(join(folder.path, name), text);

/** Rows of so many people from a number on, each with one entitlement. */
const rows = (count: number, from = 0, rest = ';E;e1') =>
  Array.from({ length: count }, (_, at) => `u${from + at}${rest}\n`).join('');

/** What happens to a request on its way: its answer is lost, a proxy refuses it, or the API is killed and started again meanwhile. */
type Fate = 'lost' | 'refused' | 'busy' | 'restart';

/** A table that makes two parts of a load. */
const ACCOUNTS = 2_500;
function writeLarge() {
  const columns = Array.from({ length: 30 }, (_, at) => `note${at}`);
  write(`user;entitlement;${columns.join(';')}\n${rows(ACCOUNTS, 0, `;e1${`;${'x'.repeat(250)}`.repeat(30)}`)}`);
}

/** The requests of loads that have come by the proxy, and what happens to the next of them, by its beginning. */
const passed: string[] = [];
const fates: (readonly [request: string, fate: Fate])[] = [];

/** A way to the API on which requests can fail. */
async function startProxy() {
  const server = createServer(async (request, response) => {
    const [, path] = /^\/sources\/v1\/[^/]+\/loads(.*)$/.exec(request.url ?? '') ?? [];
    const isOfSources = request.url?.startsWith('/sources/v1?') === true;
    const what =
      path === undefined
        ? isOfSources
          ? 'GET sources'
          : 'other'
        : `${request.method} ${path.replace(/^\/[0-9a-f-]{36}/, '/ID')}`;
    if (request.method !== 'GET' && path !== undefined) passed.push(what);
    const at = fates.findIndex(([of]) => what.startsWith(of));
    const [, fate] = at === -1 ? [] : (fates.splice(at, 1)[0] ?? []);
    if (fate === 'refused') return response.writeHead(403).end();
    // The client waits for no such time.
    if (fate === 'busy') return response.writeHead(503, { 'retry-after': '600' }).end();
    if (fate === 'restart') {
      await api.stop('SIGKILL');
      api = await service.startApi({ PORT: new URL(api.baseAddress).port });
      return request.socket.destroy();
    }
    const { host: _, ...headers } = request.headers;
    // A connection that is kept may be closed by the API just when it is used again.
    const options = { method: request.method, headers, agent: false };
    const onward = forward(api.baseAddress + request.url, options, (answer) => {
      if (fate === 'lost') return request.socket.destroy();
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    onward.once('error', () => request.socket.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${Object(server.address()).port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Runs `load` by the proxy. Without the lines that it writes where the machine is slow. */
const run = async (...args: readonly string[]) => {
  const { clientId, clientSecret } = service.credentials;
  const client = ['--url', proxy.url, '--client-id', clientId, '--client-secret', clientSecret];
  const { stderr, ...ended } = await runCli(['load', ...args, ...client], { cwd: folder.path });
  return {
    ...ended,
    stderr: stderr.replaceAll(/^(?:(?:Reading|Sending) .*|load \S+ (?:is being|has changed).*)\n/gm, ''),
  };
};

/** A source of its own, and the command that loads it. */
async function openSource(source: Pick<Partial<Source>, 'deleteThresholdPercent' | 'correlation'> = {}) {
  const { id, name } = await api.client.sources.create({ name: `ERP ${++sources}`, ...source });
  return {
    id,
    name,
    load: (...args: readonly string[]) => run(name, ...args),
    /** Its accounts by their ids. */
    accounts: async () => {
      const { items } = await api.client.accounts.page({ filters: `source eq "${id}"`, limit: 250, count: true });
      return [...items].sort((one, other) => (one.id < other.id ? -1 : 1));
    },
    loads: async () => (await api.client.sourceLoads.page(id)).items,
  };
}

let sources = 0;

const held = (accounts: readonly Account[]) =>
  Object.fromEntries(accounts.map(({ id, access }) => [id, access.map((ref) => ref.id)]));

test('a load converts, sends and commits, and shows columns and the summary', async () => {
  const { load, accounts } = await openSource();
  const { code, stdout, stderr } = await load(...ARGS);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`file or record  column       used as
people.csv      user         id
people.csv      name         displayName
people.csv      entitlement  access
people.csv      end          end
            created  updated  deleted  unchanged
accounts    2        0        0        0
identities  0        0
catalogue   2        0
correlated: 2 by rule, 0 by hand, 0 ambiguous, 0 none
access: 3 added, 0 removed; 0 accounts disabled
`);
  expect(await accounts()).toMatchObject([
    {
      id: 'anna',
      identityId: 'i-anna',
      displayName: 'Anna',
      access: [{ type: 'ENTITLEMENT', id: 'pay', end: '2037-01-01T00:00:00.000Z' }, { id: 'vendor' }],
    },
    { id: 'bob', identityId: 'i-bob' },
  ]);
});

test('a source is found by its id too, and one that is not there is named with those that are', async () => {
  const { id, name, load, accounts } = await openSource();
  const other = await openSource();
  expect((await run(id, ...ARGS)).code).toBe(0);
  expect(await accounts()).toHaveLength(2);
  expect(await other.accounts()).toEqual([]);
  const { code, stderr } = await run('SAP', ...ARGS);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(`^there is no source SAP; there are: .*${name} \\(${id}\\)`),
  ]);
  expect((await load(...ARGS, '--delta', '--full')).code).toBe(2);
});

test('rules that no account of a load can match are told', async () => {
  const rules = (...pairs: readonly (readonly [string, string])[]) => ({
    correlation: pairs.map(([account, identity]) => ({ account, identity })),
  });
  const told = async (source: Parameters<typeof openSource>[0]) => {
    const { load, name } = await openSource(source);
    const { stderr } = await load(...ARGS, '--dry-run');
    return [...stderr.matchAll(/the rule (.*) of (.*) matches no person: no account of these files has (.*)/g)].map(
      ([, rule, of, field]) => [rule, of === name, field],
    );
  };
  const byNumber = ['attributes.number', 'identificationNumber'] as const;
  expect(await told(rules(['name', 'uid'], byNumber))).toEqual([
    ['attributes.number = identificationNumber', true, 'attributes.number'],
  ]);
  // Many systems have but one of name and e-mail address.
  expect(await told(rules(['name', 'uid'], ['email', 'email']))).toEqual([]);
});

test('a full load deletes what it lacks, and a delta load does not', async () => {
  const { load, accounts } = await openSource();
  await load(...ARGS);
  write('user;name;entitlement\nbob;Bob;vendor\n');
  expect((await load(...ARGS, '--delta')).code).toBe(0);
  expect(held(await accounts())).toEqual({ anna: ['pay', 'vendor'], bob: ['vendor'] });
  expect((await load(...ARGS)).code).toBe(0);
  expect(held(await accounts())).toEqual({ bob: ['vendor'] });
});

test('faults of files load nothing', async () => {
  const { load, loads } = await openSource();
  write(`${PEOPLE}eve;Eve;pay;soon\n`);
  const { code, stderr } = await load(...ARGS);
  expect([code, stderr, await loads()]).toEqual([
    1,
    'people.csv:5:1: not a date: soon; a date is 2026-01-31, 20260131 or 31.01.2026\n1 line cannot be converted: nothing was loaded\n',
    [],
  ]);
});

test('an id that is of another source is a fault, unless the command says what it is', async () => {
  const one = await openSource();
  const other = await openSource();
  write('user;entitlement\nanna;Finance Team\nanna;staff\n');
  expect((await one.load(...FROM)).code).toBe(0);
  expect((await one.load(...FROM)).code).toBe(0);
  write('user;entitlement\nbob;guests\nbob;staff\n');
  const refused = await other.load(...FROM);
  expect([refused.code, refused.stderr, await other.loads()]).toEqual([
    1,
    `people.csv:3:1: the entitlement staff is of ${one.name} in the service
1 id is that of other sources: nothing was loaded. --prefix <text> gives ${other.name} ids of its own; --prefix "" says that they are the same things
`,
    [],
  ]);
  expect((await other.load(...FROM, '--prefix', 'other:')).code).toBe(0);
  expect(held(await other.accounts())).toEqual({ bob: ['other:guests', 'other:staff'] });
  expect(await api.client.entitlements.get('other:staff')).toMatchObject({ externalId: 'staff', source: other.name });
  expect(await api.client.entitlements.get('staff')).toMatchObject({ source: one.name });
  expect((await other.load(...FROM, '--prefix', '')).code).toBe(0);
  expect(held(await other.accounts())).toEqual({ bob: ['guests', 'staff'] });
});

test('roles and access profiles of another source are found among many', async () => {
  const one = await openSource();
  const other = await openSource();
  const records = ['role', 'accessProfile'].flatMap((kind) =>
    Array.from({ length: 150 }, (_, at) => ({
      kind,
      id: `${kind}:${'x'.repeat(100)}-${at}`,
      name: 'N',
      entitlements: [],
    })),
  );
  write(ndjson(records), 'r.ndjson');
  expect(await one.load('--from', 'ndjson', 'r.ndjson', '--delta')).toMatchObject({ code: 0, stderr: '' });
  expect(await api.client.roles.get(`role:${'x'.repeat(100)}-149`)).toMatchObject({ attributes: { source: one.name } });
  const [code, stderr] = await other
    .load('--from', 'ndjson', 'r.ndjson', '--delta')
    .then((ended) => [ended.code, ended.stderr]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('\n300 ids are those of other sources')]);
  expect(stderr).toContain(
    `r.ndjson:300:1: the accessProfile accessProfile:${'x'.repeat(100)}-149 is of ${one.name} in the service\n`,
  );
});

test('a prefix makes no id of a record that has none', async () => {
  const { load, loads } = await openSource();
  const records = [
    { kind: 'entitlement', name: 'N' },
    { kind: 'role', id: '', name: 'N' },
    { kind: 'account', id: 'a', access: [{ type: 'ROLE', id: '' }] },
  ];
  write(ndjson(records), 'r.ndjson');
  const { code, stderr } = await load('--from', 'ndjson', 'r.ndjson', '--prefix', 'x:');
  expect([code, stderr.match(/^r\.ndjson:\d/gm), await loads()]).toEqual([
    1,
    ['r.ndjson:1', 'r.ndjson:2', 'r.ndjson:3'],
    [],
  ]);
  expect((await load('--from', 'ndjson', 'r.ndjson', '--prefix', 'a b')).code).toBe(2);
});

test('a full load without any account is confirmed, however few it deletes', async () => {
  const { name, load, accounts } = await openSource();
  await load(...ARGS);
  write(ndjson([{ kind: 'entitlement', id: 'alone', name: 'Alone' }]), 'r.ndjson');
  const alone = ['--from', 'ndjson', 'r.ndjson'];
  const refused = await load(...alone);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `the files have no account: the load would delete all 2 accounts of ${name}. If that is right: the same command with --confirm-deletes 2\n`,
  ]);
  expect((await load(...alone, '--dry-run')).code).toBe(0);
  expect((await load(...alone, '--delta')).code).toBe(0);
  expect(await accounts()).toHaveLength(2);
  expect((await load(...alone, '--confirm-deletes', '2')).code).toBe(0);
  expect(await accounts()).toEqual([]);
  expect((await load(...alone)).code).toBe(0);
});

test('a dry run says what would change, and changes nothing', async () => {
  const { load, loads, accounts } = await openSource();
  expect((await load(...ARGS, '--dry-run')).stdout).toMatch(/^violations: 0 opened, 0 ended$/m);
  const { code, stdout, stderr } = await load(...ARGS, '--dry-run', '--format', 'json');
  expect([code, stderr]).toEqual([0, 'nothing was changed: this was a dry run\n']);
  expect(JSON.parse(stdout)).toMatchObject({
    columns: [{ of: 'people.csv', column: 'user', use: 'id' }, {}, {}, {}],
    load: { state: 'SUCCESS', dryRun: true, summary: { accounts: { created: 2 }, access: { added: 3 } } },
  });
  expect(await accounts()).toEqual([]);
  expect(await loads()).toMatchObject([{ dryRun: true }, { dryRun: true }]);
});

test('more deletions than the threshold are refused, and confirmed for the same load', async () => {
  const { load, loads, accounts } = await openSource();
  write(`user;name;entitlement\n${rows(100)}`);
  await load(...ARGS);
  write(`user;name;entitlement\n${rows(40)}`);
  const refused = await load(...ARGS);
  const [{ loadId = '' } = {}] = await loads();
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `load ${loadId} was refused: it would delete, or take all access from, 60 accounts. Nothing was changed. If that is right: the same command with --confirm-deletes 60\n`,
  ]);
  expect(refused.stdout).not.toContain('created');
  const wrong = await load(...ARGS, '--confirm-deletes', '59');
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('60 accounts')]);
  expect(await accounts()).toHaveLength(100);
  const again = await load(...ARGS, '--confirm-deletes', '60');
  expect([again.code, again.stderr]).toEqual([
    0,
    `going on with load ${loadId} of an earlier run, which has 1 of 1 part\n`,
  ]);
  expect([await accounts(), await loads()]).toEqual([
    expect.objectContaining({ length: 40 }),
    [{}, {}].map(() => expect.anything()),
  ]);
});

test('a refused load is made anew without a confirmation, as the service may have changed', async () => {
  const { load, loads } = await openSource({ deleteThresholdPercent: 0 });
  write(`user;name;entitlement\n${rows(20)}`);
  await load(...ARGS);
  write(`user;name;entitlement\n${rows(5)}`);
  expect((await load(...ARGS)).stderr).toContain('15 accounts');
  expect((await load(...ARGS)).stderr).toMatch(/^load \S+ was refused: .* 15 accounts/);
  expect(await loads()).toHaveLength(3);
});

test('faults that the service finds have their places in the files, and the same command begins anew', async () => {
  const { load, loads, accounts } = await openSource();
  write('user;type;entitlement\nanna;role;r-late\nbob;entitlement;pay\n');
  const { code, stderr } = await load(...ARGS);
  const [{ loadId = '' } = {}] = await loads();
  expect([code, stderr]).toEqual([
    1,
    `people.csv:2:1: there is no role r-late, here or in the load\nload ${loadId} was refused, and nothing was changed: 1 record has faults\n`,
  ]);
  await api.client.accessModel.import([
    { kind: 'role', id: 'r-late', name: 'R', entitlements: [], accessProfiles: [] },
  ]);
  const again = await load(...ARGS);
  expect([again.code, again.stderr]).toEqual([0, '']);
  expect(held(await accounts())).toEqual({ anna: ['r-late'], bob: ['pay'] });
});

test.each([
  ['csv', 'p.csv', 'Benutzer;Berechtigung / p3;RICH / p3;PLAIN'],
  [
    'ldif',
    'p.ldif',
    'dn: uid=p3,dc=x / objectClass: person / uid: p3 / memberOf: cn=RICH,dc=x / memberOf: cn=PLAIN,dc=x',
  ],
])('a file that names an entitlement alone replaces none that the service has: %s', async (format, name, lines) => {
  const { id, name: source, load, accounts } = await openSource();
  const rich = {
    kind: 'entitlement' as const,
    id: `RICH-${format}`,
    name: 'Release payments',
    source: null,
    externalId: 'F110',
    attributes: { risk: 'high' },
    grants: [{ resourceType: 'invoice', resourceId: 'all', action: 'approve' }],
  };
  await api.client.accessModel.import([rich]);
  const before = await api.client.entitlements.get(rich.id);
  write(`${lines.replaceAll(' / ', '\n').replaceAll(/RICH|PLAIN/g, `$&-${format}`)}\n`, name);
  const args = ['--from', format, name];
  const first = await load(...args);
  expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^catalogue +1 +0$/m)]);
  expect(await api.client.entitlements.get(rich.id)).toEqual(before);
  expect(await api.client.entitlements.get(`PLAIN-${format}`)).toMatchObject({ name: `PLAIN-${format}`, source });
  expect((await accounts()).map(({ access }) => access.map((ref) => ref.id))).toEqual([[rich.id, `PLAIN-${format}`]]);
  const again = await load(...args);
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^catalogue +0 +0$/m)]);
  // What a prefix makes of a name is of this source, and is named alone all the same.
  await api.client.accessModel.import([{ ...rich, id: `x:RICH-${format}`, source: id }]);
  expect((await load(...args, '--prefix', 'x:')).code).toBe(0);
  expect(await api.client.entitlements.get(`x:RICH-${format}`)).toMatchObject({ name: 'Release payments' });
  if (format === 'ldif') return;
  // A table of entitlements describes them.
  write('Entitlement;Bezeichnung\nRICH-csv;Payments\nPLAIN-csv;Plain\n', 'e.csv');
  write('Benutzer;Name\np3;Paul\n', 'u.csv');
  expect((await load(...args, 'e.csv', 'u.csv')).code).toBe(0);
  expect(await api.client.entitlements.get(rich.id)).toMatchObject({ name: 'Payments', source });
});

test('access under a heading of roles is roles, and access without a type is none that the service has as another one', async () => {
  const { load, loads, accounts } = await openSource();
  await api.client.accessModel.import([
    { kind: 'accessProfile', id: 'ap-p3', name: 'P', entitlements: [] },
    { kind: 'role', id: 'r-p3', name: 'R', entitlements: [], accessProfiles: [] },
  ]);
  write('Benutzer;Rolle\np3;r-p3\n');
  const { code, stdout } = await load(...FROM);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^people\.csv +Rolle +access \(roles\)$/m)]);
  expect(await accounts()).toMatchObject([{ id: 'p3', access: [{ type: 'ROLE', id: 'r-p3' }] }]);
  write('Benutzer;Berechtigung\np3;e-p3\np4;r-p3\np4;ap-p3\n');
  const refused = await load(...FROM);
  expect([refused.code, refused.stderr, (await loads()).length]).toEqual([
    1,
    `people.csv:4:1: ap-p3 is an access profile in the service, and nothing says that it is an entitlement here: give the table a column \`type\`
people.csv:3:1: r-p3 is a role in the service, and nothing says that it is an entitlement here: give the table a column \`type\`
2 lines cannot be converted: nothing was loaded
`,
    1,
  ]);
  write('Benutzer;Berechtigung;Typ\np3;e-p3;\np4;r-p3;Rolle\np4;ap-p3;Zugriffsprofil\np4;r-p3;Berechtigung\n');
  expect((await load(...FROM)).code).toBe(0);
  expect(held(await accounts())).toEqual({ p3: ['e-p3'], p4: ['r-p3', 'ap-p3', 'r-p3'] });
});

test('a load goes on after the part that failed, and sends no other again', async () => {
  writeLarge();
  const { load, loads } = await openSource();
  fates.push(['PUT /ID/parts/2', 'refused']);
  const failed = await load(...ARGS);
  passed.length = 0;
  const [{ loadId = '' } = {}] = await loads();
  expect([failed.code, failed.stderr]).toEqual([
    1,
    expect.stringMatching(`^load ${loadId} has 1 of 2 parts: the same command goes on from there\\n.*403`),
  ]);
  const again = await load(...ARGS);
  expect([again.code, again.stderr, passed]).toEqual([
    0,
    `going on with load ${loadId} of an earlier run, which has 1 of 2 parts\n`,
    ['PUT /ID/parts/2', 'POST /ID/commit'],
  ]);
  expect(await loads()).toMatchObject([{ loadId, summary: { accounts: { created: ACCOUNTS } } }]);
});

test('files that are read in another way are another load', async () => {
  const { load, loads } = await openSource();
  fates.push(['PUT /ID/parts/1', 'refused']);
  await load(...ARGS);
  write('people: {ignore: [name]}', 'map.yaml');
  const mapped = [...ARGS, '--map', 'map.yaml'];
  const [{ loadId = '' } = {}] = await loads();
  const busy = await load(...mapped);
  expect([busy.code, busy.stderr]).toEqual([
    1,
    expect.stringMatching(
      `^no load was opened\\nERP \\d+ has a load already: ${loadId} is OPEN; --restart cancels it, and begins anew\\n$`,
    ),
  ]);
  expect((await load(...mapped, '--restart')).code).toBe(0);
  expect(await loads()).toMatchObject([{ state: 'SUCCESS', summary: { accounts: { created: 2 } } }]);
});

test('a service that is killed midway is waited for', async () => {
  const { load, loads } = await openSource();
  fates.push(['PUT /ID/parts/1', 'restart']);
  const { code, stderr } = await load(...ARGS);
  expect([code, stderr]).toEqual([0, '']);
  expect(await loads()).toMatchObject([{ state: 'SUCCESS', summary: { accounts: { created: 2 } } }]);
});

test('a service that is busy is waited for from the first request on', async () => {
  const { load, loads } = await openSource();
  fates.push(['GET sources', 'busy']);
  const { code, stderr } = await load(...ARGS);
  expect([code, stderr]).toEqual([0, expect.stringContaining('repeated in 1 s')]);
  expect(await loads()).toMatchObject([{ state: 'SUCCESS' }]);
});

test('a commit whose answer was lost is not made again', async () => {
  const { load, loads } = await openSource();
  fates.push(['POST /ID/commit', 'lost']);
  const { code } = await load(...ARGS);
  expect([code, passed.filter((what) => what === 'POST /ID/commit').length]).toEqual([0, 1]);
  expect(await loads()).toMatchObject([{ state: 'SUCCESS' }]);
});

test('a load whose opening was lost goes on, and is not opened again', async () => {
  const { load, loads } = await openSource();
  fates.push(['POST ', 'lost']);
  const { code } = await load(...ARGS);
  expect([code, passed]).toEqual([0, ['POST ', 'POST ', 'PUT /ID/parts/1', 'POST /ID/commit']]);
  expect(await loads()).toMatchObject([{ state: 'SUCCESS' }]);
});

test('a load that was open before is not taken for one whose opening was lost', async () => {
  const { id, load } = await openSource();
  const { loadId } = await api.client.sourceLoads.create(id, { mode: 'FULL' });
  fates.push(['POST ', 'lost']);
  const { code, stderr } = await load(...ARGS);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`${loadId} is OPEN; --restart cancels it, and begins anew\n`),
  ]);
});

test('tables of SAP are found by their headings, and a file that fits none is named', async () => {
  const files = {
    'a.csv': 'AGR_NAME,UNAME,FROM_DAT,TO_DAT\nZ,ADA,20260101,99991231\n',
    'b.csv': 'AGR_NAME,OBJECT,AUTH,FIELD,LOW,HIGH\nZ,S_TCODE,T,TCD,F110,\n',
    'c.csv': 'BNAME,USTYP,UFLAG,GLTGV,GLTGB\nADA,A,64,,\n',
    'd.csv': 'x,y\n1,2\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  const { load, accounts } = await openSource();
  const { code, stdout, stderr } = await load('--from', 'sap', 'b.csv', 'c.csv', 'a.csv', '--format', 'json');
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 user locked, and so disabled: ADA')]);
  expect([code, JSON.parse(stdout).columns[0]]).toEqual([0, { of: 'b.csv', column: 'AGR_NAME', use: 'role' }]);
  expect((await accounts()).at(-1)).toMatchObject({
    id: 'ADA',
    disabled: true,
    access: [{ type: 'ROLE', id: 'Z', start: '2026-01-01T00:00:00.000Z' }],
  });
  const strange = await load('--from', 'sap', 'a.csv', 'b.csv', 'd.csv');
  expect([strange.code, strange.stderr]).toEqual([
    1,
    expect.stringContaining(
      'd.csv:1:1: its headings do not say which table it is: in a mapping (--map), `file` of a table names it',
    ),
  ]);
});

test('tables of SAP that are missing or others than those that are read are named, and nothing is loaded', async () => {
  const files = {
    'users.csv': 'AGR_NAME,UNAME\nZ,ADA\n',
    'roles.csv': 'AGR_NAME,OBJECT,AUTH,FIELD,LOW,HIGH\nZ,S_TCODE,T,TCD,F110,\n',
    'menus.csv': 'MANDT,AGR_NAME,TYPE,TCODE,EXCLUDE\n100,Z,TR,F110,\n',
    'locks.csv': 'BNAME,UFLAG\nADA,64\n',
    'keys.csv': 'BNAME,PERSNUMBER,ADDRNUMBER\nADA,P1,A1\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  const { load, loads } = await openSource();
  for (const [given, told] of [
    [['users.csv', 'locks.csv'], 'the table AGR_1251 is missing: it says what roles grant'],
    [['roles.csv', 'locks.csv'], 'the table AGR_USERS is missing: it says which roles users have'],
    [['users.csv', 'menus.csv'], 'menus.csv:1:1: seems to be AGR_TCODES, which is not read: '],
    [['users.csv', 'roles.csv', 'keys.csv'], 'the table USR02 is missing: '],
    [['users.csv', 'roles.csv', 'keys.csv', 'locks.csv'], 'the table ADR6 is missing: '],
  ] as const) {
    const { code, stderr } = await load('--from', 'sap', ...given);
    expect([code, stderr]).toEqual([1, expect.stringContaining(told)]);
  }
  expect(await loads()).toEqual([]);
});

test('two people of one name in a directory are two accounts', async () => {
  writeFileSync(
    join(folder.path, 'd.ldif'),
    'dn: uid=jm,ou=a\nobjectClass: person\nuid: jm\n\ndn: uid=jm,ou=b\nobjectClass: person\nuid: jm\nuserAccountControl: 514\n',
  );
  const { load, accounts } = await openSource();
  const { code } = await load('--from', 'ldif', 'd.ldif');
  expect(code).toBe(0);
  expect(await accounts()).toMatchObject([
    { id: 'uid=jm,ou=a', name: 'jm', disabled: false },
    { id: 'uid=jm,ou=b', name: 'jm', disabled: true },
  ]);
});

test('records of a load are checked and sent as they are', async () => {
  const { load, accounts } = await openSource();
  const role = { kind: 'role', id: 'r', name: 'R', entitlements: ['pay-2'], accessProfiles: [] };
  const shown = { id: 'a b', name: 'ada', email: 'a@x', access: [{ type: 'ROLE', id: 'r' }], attributes: { x: 'y' } };
  const records = [
    { kind: 'entitlement', id: 'pay-2', name: 'Pay' },
    role,
    { kind: 'account', ...shown },
    { kind: 'account', id: 'c', nickname: 'x' },
    { kind: 'identity', id: 'i' },
  ];
  write(ndjson(records), 'r.ndjson');
  const { code, stderr } = await load('--from', 'ndjson', 'r.ndjson');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^r\.ndjson:4:1: .*nickname/m)]);
  expect(stderr).toContain('r.ndjson:5:1: kind identity is not of a load');
  write(ndjson(records.slice(0, 3)), 'r.ndjson');
  expect((await load('--from', 'ndjson', 'r.ndjson')).code).toBe(0);
  expect(await accounts()).toMatchObject([{ ...shown, displayName: 'ada', disabled: false }]);
  expect((await api.client.roles.get('r')).entitlements).toMatchObject([{ id: 'pay-2' }]);
});
