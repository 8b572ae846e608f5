import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { openFolder, type TemporaryFolder } from '@access-admin/harness';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

/** What the service does with the next request that sends or commits something. */
type Fate = 'ok' | 'cut' | 'refuse';

const SOURCE = { id: 's-1', name: 'ERP' };
const PEOPLE = 'user;name;entitlement;end\nanna;Anna;pay;31.12.2026\nanna;Anna;vendor;\nbob;Bob;pay;\n';

let folder: TemporaryFolder;

beforeEach(() => {
  folder = openFolder('loads');
  writeFileSync(join(folder.path, 'people.csv'), PEOPLE);
});

afterEach(() => folder[Symbol.dispose]());

interface OpenLoad {
  readonly loadId: string;
  readonly mode: string;
  readonly dryRun: boolean;
  state: string;
  reason: string | null;
  deletes: number | null;
  summary: object | null;
  readonly parts: Map<number, string>;
  polls: number;
}

/** A service that keeps to what its contract says of loads; it has as many accounts as it is told, and takes what it is sent. */
async function startService({
  fates = [],
  accounts = 0,
  faults = [],
}: {
  fates?: readonly Fate[];
  accounts?: number;
  faults?: readonly object[];
} = {}) {
  const left = [...fates];
  const loads: OpenLoad[] = [];
  const taken: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const path = (request.url ?? '').split('?')[0] ?? '';
    const answer = (status: number, value?: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.writeHead(status).end(value === undefined ? '' : JSON.stringify(value));
    };
    const refuse = (status: number, detailCode: string, text: string, causes: readonly object[] = []) =>
      answer(status, {
        detailCode,
        trackingId: 't',
        messages: [{ locale: 'en-US', localeOrigin: 'DEFAULT', text }],
        causes,
      });
    const shown = ({ parts: _, polls: __, ...load }: OpenLoad) => load;
    if (path === '/oauth/token') return answer(200, { access_token: 'token', token_type: 'Bearer', expires_in: 900 });
    const [, , id, rest = ''] = /^\/sources\/v1(\/([^/]+)(.*))?$/.exec(path) ?? [];
    if (id === undefined) return answer(200, [SOURCE, { id: 's-2', name: 'HR' }]);
    const [, loadId, action = ''] = /^\/loads(?:\/([^/]+)(.*))?$/.exec(rest) ?? [];
    const load = loads.find((each) => each.loadId === loadId);
    if (request.method === 'GET')
      return load === undefined
        ? loadId === undefined
          ? answer(200, loads.map(shown))
          : refuse(404, '404', 'not found')
        : answer(200, shown(polled(load)));
    const fate = left.shift() ?? 'ok';
    if (fate === 'cut') return request.socket.destroy();
    taken.push(`${request.method} ${rest}`);
    if (request.method === 'POST' && loadId === undefined) {
      if (loads.some(({ state }) => state === 'OPEN' || state === 'RUNNING'))
        return refuse(409, '409.1', 'a load of this source is open');
      const { mode, dryRun } = JSON.parse(body);
      const opened = {
        loadId: `load-${loads.length + 1}`,
        mode,
        dryRun,
        state: 'OPEN',
        reason: null,
        deletes: null,
        summary: null,
        parts: new Map<number, string>(),
        polls: 0,
      };
      loads.push(opened);
      return answer(201, { loadId: opened.loadId, state: 'OPEN' });
    }
    if (load === undefined) return refuse(404, '404', 'not found');
    if (request.method === 'DELETE') {
      load.state = 'CANCELLED';
      return answer(204);
    }
    if (action.startsWith('/parts/')) {
      if (request.headers['content-type'] !== 'application/x-ndjson') return refuse(415, '415', 'not NDJSON');
      if (fate === 'refuse')
        return refuse(400, '400.1', 'a bad record', [
          { detailCode: '400.1', locale: 'en-US', localeOrigin: 'DEFAULT', text: 'line 2: name: must not be empty' },
        ]);
      load.parts.set(Number(action.slice('/parts/'.length)), body);
      return answer(204);
    }
    const { confirmDeletes } = JSON.parse(body === '' ? '{}' : body);
    const sent = [...load.parts.values()].join('').match(/"kind":"account"/g)?.length ?? 0;
    const deletes = load.mode === 'FULL' ? Math.max(0, accounts - sent) : 0;
    load.state = 'RUNNING';
    load.polls = 0;
    load.reason = deletes > 10 && confirmDeletes !== deletes ? 'DELETES_ABOVE_THRESHOLD' : null;
    load.deletes = load.reason === null ? null : deletes;
    load.summary = {
      accounts: { created: sent, updated: 0, deleted: deletes, unchanged: 0 },
      correlated: { byRule: sent, byHand: 0, ambiguous: 0, none: 0 },
      identities: { created: 0, updated: sent },
      access: { added: sent, removed: 0 },
      disabled: 0,
      catalogue: { created: 2, updated: 0 },
      faults,
      faultCount: faults.length,
      ...(load.dryRun ? { violations: { opened: 1, ended: 0 } } : {}),
    };
    return answer(202, shown(load));
  });
  /** A load runs for two looks at it. */
  function polled(load: OpenLoad): OpenLoad {
    if (load.state === 'RUNNING' && ++load.polls > 2) {
      load.state = load.reason !== null || faults.length > 0 ? 'REFUSED' : 'SUCCESS';
      if (load.state === 'REFUSED' && load.reason !== null) load.summary = null;
    }
    return load;
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  return {
    loads,
    taken,
    records: () =>
      loads.flatMap(({ parts }) =>
        [...parts.values()]
          .join('')
          .trim()
          .split('\n')
          .map((text) => JSON.parse(text)),
      ),
    run: (...args: readonly string[]) =>
      runCli(['load', ...args, '--url', `http://127.0.0.1:${port}`, '--client-id', 'a', '--client-secret', 's'], {
        cwd: folder.path,
      }),
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const PEOPLE_ARGS = ['ERP', '--from', 'csv', 'people.csv'];

test('a load converts, sends and commits, and shows columns and the summary', async () => {
  using service = await startService();
  const { code, stdout, stderr } = await service.run(...PEOPLE_ARGS);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`file or record  column       used as
people.csv      user         id
people.csv      name         displayName
people.csv      entitlement  access
people.csv      end          end
            created  updated  deleted  unchanged
accounts    2        0        0        0
identities  0        2
catalogue   2        0
correlated: 2 by rule, 0 by hand, 0 ambiguous, 0 none
access: 2 added, 0 removed; 0 accounts disabled
`);
  expect(service.taken).toEqual(['POST /loads', 'PUT /loads/load-1/parts/1', 'POST /loads/load-1/commit']);
  expect(service.loads[0]).toMatchObject({ mode: 'FULL', dryRun: false });
  expect(service.records()).toEqual([
    { kind: 'entitlement', id: 'pay', name: 'pay', source: 'ERP' },
    { kind: 'entitlement', id: 'vendor', name: 'vendor', source: 'ERP' },
    {
      kind: 'account',
      id: 'anna',
      name: 'anna',
      displayName: 'Anna',
      disabled: false,
      access: [
        { type: 'ENTITLEMENT', id: 'pay', end: '2027-01-01T00:00:00.000Z' },
        { type: 'ENTITLEMENT', id: 'vendor' },
      ],
    },
    {
      kind: 'account',
      id: 'bob',
      name: 'bob',
      displayName: 'Bob',
      disabled: false,
      access: [{ type: 'ENTITLEMENT', id: 'pay' }],
    },
  ]);
});

test('a source is found by its id too, and one that is not there is named with those that are', async () => {
  using service = await startService();
  expect((await service.run('s-2', '--from', 'csv', 'people.csv', '--delta')).code).toBe(0);
  expect(service.loads[0]).toMatchObject({ mode: 'DELTA' });
  const { code, stderr } = await service.run('SAP', '--from', 'csv', 'people.csv');
  expect([code, stderr]).toEqual([1, 'there is no source SAP; there are: ERP (s-1), HR (s-2)\n']);
});

test('faults of files load nothing', async () => {
  using service = await startService();
  writeFileSync(join(folder.path, 'people.csv'), `${PEOPLE}eve;Eve;pay;soon\n`);
  const { code, stderr } = await service.run(...PEOPLE_ARGS);
  expect([code, stderr, service.taken]).toEqual([
    1,
    'people.csv:5:1: not a date: soon; a date is 2026-01-31, 20260131 or 31.01.2026\n1 lines cannot be converted: nothing was loaded (--skip-faults loads the others)\n',
    [],
  ]);
});

test('a dry run says what violations would open', async () => {
  using service = await startService();
  const { code, stdout, stderr } = await service.run(...PEOPLE_ARGS, '--dry-run');
  expect([code, stderr]).toEqual([0, 'nothing was changed: this was a dry run\n']);
  expect(stdout).toContain('violations: 1 opened, 0 ended\n');
  expect(service.loads[0]?.dryRun).toBe(true);
});

test('more deletions than the threshold are refused, and confirmed for the same load', async () => {
  using service = await startService({ accounts: 100 });
  const refused = await service.run(...PEOPLE_ARGS);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'load load-1 (1 parts) was refused: it would delete, or take all access from, 98 accounts. Nothing was changed. If that is right: the same command with --confirm-deletes 98\n',
  ]);
  const again = await service.run(...PEOPLE_ARGS, '--confirm-deletes', '98');
  expect([again.code, again.stderr]).toEqual([
    0,
    'going on with load load-1 of an earlier run, which has 1 of 1 parts\n',
  ]);
  expect(service.taken).toEqual([
    'POST /loads',
    'PUT /loads/load-1/parts/1',
    'POST /loads/load-1/commit',
    'POST /loads/load-1/commit',
  ]);
});

test('faults that the service finds have their places in the files', async () => {
  using service = await startService({ faults: [{ part: 1, line: 4, text: 'email: is taken' }] });
  const { code, stderr } = await service.run(...PEOPLE_ARGS);
  expect([code, stderr]).toEqual([
    1,
    'people.csv:4:1: email: is taken\nload load-1 (1 parts) was refused, and nothing was changed: 1 records have faults\n',
  ]);
});

test('a part that is refused names the line of its file, and the same command goes on', async () => {
  using service = await startService({ fates: ['ok', 'refuse'] });
  const refused = await service.run(...PEOPLE_ARGS);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'load load-1 has 0 of 1 parts: the same command goes on from there\npart 1 was refused (400.1)\npeople.csv:3:1: name: must not be empty\n',
  ]);
  const again = await service.run(...PEOPLE_ARGS);
  expect([again.code, again.stderr]).toEqual([
    0,
    'going on with load load-1 of an earlier run, which has 0 of 1 parts\n',
  ]);
});

test('many records are sent in parts, and a service that goes away midway is waited for', async () => {
  const people = Array.from({ length: 150_000 }, (_, number) => `u${number};${'x'.repeat(200)};e${number % 100}\n`);
  writeFileSync(join(folder.path, 'people.csv'), `user;name;entitlement\n${people.join('')}`);
  using service = await startService({ fates: ['ok', 'ok', 'cut', 'cut', 'cut', 'cut', 'cut', 'cut'] });
  const { code, stderr } = await service.run(...PEOPLE_ARGS);
  expect([code, stderr]).toEqual([0, expect.stringContaining(': repeated in 1 s\n')]);
  const parts = [...(service.loads[0]?.parts ?? [])];
  expect(parts.map(([number]) => number)).toEqual([1, 2, 3]);
  expect(Math.max(...parts.map(([, text]) => Buffer.byteLength(text)))).toBeLessThanOrEqual(16 * 1024 * 1024);
  expect(
    new Set(
      service
        .records()
        .filter(({ kind }) => kind === 'account')
        .map(({ id }) => id),
    ).size,
  ).toBe(150_000);
});

test('a commit whose answer was lost is not made again', async () => {
  using service = await startService({ fates: ['ok', 'ok', 'cut'] });
  const { code } = await service.run(...PEOPLE_ARGS);
  expect([code, service.loads[0]?.state]).toEqual([0, 'SUCCESS']);
});

test('a load of another run is named, and cancelled where that is asked for', async () => {
  using service = await startService({ fates: ['ok', 'refuse'] });
  await service.run(...PEOPLE_ARGS);
  writeFileSync(join(folder.path, 'people.csv'), `${PEOPLE}eve;Eve;pay;\n`);
  const busy = await service.run(...PEOPLE_ARGS);
  expect([busy.code, busy.stderr]).toEqual([
    1,
    'no load was opened\nERP has a load already: load-1 is OPEN; --restart cancels it, and begins anew\n',
  ]);
  const anew = await service.run(...PEOPLE_ARGS, '--restart');
  expect([anew.code, service.loads.map(({ state }) => state)]).toEqual([0, ['CANCELLED', 'SUCCESS']]);
});

test('tables of SAP are found by their headings, and a file that fits none is named', async () => {
  const files = {
    'a.csv': 'AGR_NAME,UNAME,FROM_DAT,TO_DAT\nZ,ADA,20260101,99991231\n',
    'b.csv': 'AGR_NAME,OBJECT,AUTH,FIELD,LOW,HIGH\nZ,S_TCODE,T,TCD,F110,\n',
    'c.csv': 'BNAME,USTYP,UFLAG,GLTGV,GLTGB\nADA,A,64,,\n',
    'd.csv': 'x,y\n1,2\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  using service = await startService();
  const { code, stdout, stderr } = await service.run(
    'ERP',
    '--from',
    'sap',
    'b.csv',
    'c.csv',
    'a.csv',
    '--format',
    'json',
  );
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 users locked, and so disabled: ADA')]);
  expect([code, JSON.parse(stdout).columns[0]]).toEqual([0, { of: 'b.csv', column: 'AGR_NAME', use: 'role' }]);
  expect(service.records().at(-1)).toMatchObject({
    kind: 'account',
    id: 'ADA',
    disabled: true,
    access: [{ type: 'ROLE', id: 'Z', start: '2026-01-01T00:00:00.000Z' }],
  });
  const strange = await service.run('ERP', '--from', 'sap', 'a.csv', 'b.csv', 'd.csv');
  expect([strange.code, strange.stderr]).toEqual([
    1,
    expect.stringContaining(
      'd.csv:1:1: its headings do not say which table it is: in a mapping (--map), `file` of a table names it',
    ),
  ]);
});

test('two people of one name in a directory are two accounts', async () => {
  writeFileSync(
    join(folder.path, 'd.ldif'),
    'dn: uid=jm,ou=a\nobjectClass: person\nuid: jm\n\ndn: uid=jm,ou=b\nobjectClass: person\nuid: jm\nuserAccountControl: 514\n',
  );
  using service = await startService();
  const { code } = await service.run('ERP', '--from', 'ldif', 'd.ldif');
  expect(code).toBe(0);
  expect(service.records()).toMatchObject([
    { id: 'uid=jm,ou=a', name: 'jm', disabled: false },
    { id: 'uid=jm,ou=b', name: 'jm', disabled: true },
  ]);
});

test('records of a load are checked and sent as they are', async () => {
  const records = [
    { kind: 'role', id: 'r', name: 'R', entitlements: ['e'] },
    {
      kind: 'account',
      id: 'a b',
      name: 'ada',
      email: 'a@x',
      access: [{ type: 'ROLE', id: 'r' }],
      attributes: { x: 'y' },
    },
    { kind: 'account', id: 'c', nickname: 'x' },
    { kind: 'identity', id: 'i' },
  ].map((record) => `${JSON.stringify(record)}\n`);
  writeFileSync(join(folder.path, 'r.ndjson'), records.join(''));
  using service = await startService();
  const { stderr } = await service.run('ERP', '--from', 'ndjson', 'r.ndjson', '--skip-faults');
  expect(stderr).toMatch(/^r\.ndjson:3:1: .*nickname/m);
  expect(stderr).toContain('r.ndjson:4:1: kind identity is not of a load');
  expect(service.records()).toEqual([
    { kind: 'role', id: 'r', name: 'R', entitlements: ['e'] },
    {
      kind: 'account',
      id: 'a b',
      name: 'ada',
      displayName: 'ada',
      email: 'a@x',
      disabled: false,
      attributes: { x: 'y' },
      access: [{ type: 'ROLE', id: 'r' }],
    },
  ]);
});
