import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  openFolder,
  ROOT,
  type RunningNginx,
  type RunningProcess,
  startNginx,
  startProcess,
  whyNoNginx,
} from '@access-admin/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runShell, sectionBlocks, withOwn } from './pages.ts';

const PAGE = 'docs/operations/production.md';
const HOST = 'default.access.example.com';
const POSTGRES_BIN = '/usr/lib/postgresql/15/bin';

const whySkipped = [
  ...(whyNoNginx === null ? [] : [whyNoNginx]),
  ...(existsSync(join(POSTGRES_BIN, 'pg_basebackup')) ? [] : ['this machine lacks PostgreSQL 15 of Debian']),
  ...(existsSync('/usr/bin/curl') ? [] : ['this machine lacks curl']),
  ...(process.getuid?.() === 0 ? [] : ['only root can run programs as postgres']),
].join('; ');
if (whySkipped !== '') process.stderr.write(`${PAGE} is not run: ${whySkipped}\n`);

/** The block of a section that has some text; throws where there is none. */
function blockWith(heading: string, text: string, language = 'sh'): string {
  const found = sectionBlocks(PAGE, heading, language).find((block) => block.includes(text));
  if (found === undefined) throw new Error(`${PAGE} has no block with ${text} below ${heading}`);
  return found;
}

describe.skipIf(whySkipped !== '')('the page about production', () => {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(openFolder('production')).path;
  const at = (...path: readonly string[]) => join(folder, ...path);
  const backups = at('backups');
  let ports: Readonly<
    Record<'primary' | 'standby' | 'recovered' | 'first' | 'second' | 'metrics' | 'workerMetrics', number>
  >;
  let proxy: RunningNginx;
  const running = new Map<string, RunningProcess>();

  // PostgreSQL refuses to run as root.
  const asPostgres = (script: string, port: number = ports.primary): string => {
    const env = {
      PATH: `${POSTGRES_BIN}:${process.env['PATH']}`,
      PGHOST: folder,
      PGUSER: 'postgres',
      PGPORT: String(port),
    };
    const args = ['-u', 'postgres', '--', 'bash', '-eu', '-o', 'pipefail', '-c', script];
    const { status, stdout, stderr } = spawnSync('runuser', args, { cwd: folder, encoding: 'utf8', env });
    expect([status, stderr], script).toEqual([0, expect.any(String)]);
    return stdout;
  };
  const query = (sql: string, port?: number, database = 'postgres') =>
    asPostgres(`psql -qtA -v ON_ERROR_STOP=1 --dbname=${database} <<'END'\n${sql}\nEND`, port).trim();
  const startServer = (data: string, port: number) => {
    asPostgres(`pg_ctl -D ${data} -w -t 60 -l ${data}.log -o '-p ${port} -k ${folder}' start`);
    stack.defer(() => {
      if (existsSync(join(data, 'postmaster.pid'))) stopServer(data, 'immediate');
    });
  };
  const stopServer = (data: string, mode: string) => asPostgres(`pg_ctl -D ${data} -m ${mode} -w stop`);

  /** Starts the process of a unit, with its variables, as systemd would. */
  const startUnit = (app: 'api' | 'worker', instance: number): void => {
    const unit = readFileSync(join(ROOT, `deploy/systemd/access-admin-${app}@.service`), 'utf8').replaceAll(
      '%i',
      String(instance),
    );
    const valuesOf = (key: string) =>
      [...unit.matchAll(new RegExp(`^${key}=-?(.*)$`, 'gm'))].map(([, value = '']) => value);
    const files = valuesOf('EnvironmentFile').map((path) => withOwn(path, { '/etc/access-admin': at('etc') }));
    const lines = files.filter(existsSync).flatMap((path) => readFileSync(path, 'utf8').trim().split('\n'));
    const env = Object.fromEntries(
      [...valuesOf('Environment').flatMap((list) => list.split(' ')), ...lines].map((line) => [
        line.slice(0, line.indexOf('=')),
        line.slice(line.indexOf('=') + 1),
      ]),
    );
    const [program = '', ...args] = withOwn(valuesOf('ExecStart')[0] ?? '', {
      '/usr/bin/node': process.execPath,
      '/opt/access-admin/node_modules/access-admin': join(ROOT, 'apps/server'),
    }).split(' ');
    const started = startProcess([program, ...args], { cwd: folder, env, outputPath: at(`${app}-${instance}.log`) });
    running.set(`${app}@${instance}`, started);
    stack.use(started);
  };

  /** Calls the service through the proxy. */
  const curl = (path: string, ...args: readonly string[]) =>
    `curl -fsS --cacert ${proxy.certificate} --connect-to ${HOST}:443:127.0.0.1:${proxy.port} https://${HOST}${path} ${args.join(' ')}`;
  const succeed = (script: string, env: Readonly<Record<string, string>> = {}): string => {
    const { status, stdout, stderr } = runShell(script, env, folder);
    expect([status, stderr], script).toEqual([0, expect.any(String)]);
    return stdout;
  };
  const untilReady = (port: number) =>
    succeed(
      withOwn(blockWith('The service', 'readyz'), {
        'curl -f http://127.0.0.1:8080': `curl -fsS --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:${port}`,
      }),
    );
  const variable = (name: string) =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(at('etc/env'), 'utf8'))?.[1] ?? '';
  const tokenOf = () =>
    Object(
      JSON.parse(
        succeed(
          curl('/oauth/token', '-d grant_type=client_credentials', '-d client_id=admin', '-d "client_secret=$SECRET"'),
          { SECRET: variable('BOOTSTRAP_CLIENT_SECRET') },
        ),
      ),
    ).access_token;
  const identities = (port: number, database: string) => Number(query('select count(*) from identity', port, database));

  beforeAll(async () => {
    const drawn = await Promise.all(Array.from({ length: 7 }, freePort));
    const [primary, standby, recovered, first, second, metrics, workerMetrics] = drawn;
    ports = { primary, standby, recovered, first, second, metrics, workerMetrics } as typeof ports;
    chmodSync(folder, 0o777);
    mkdirSync(at('etc'));
  });

  afterAll(async () => {
    await stack.disposeAsync();
  });

  test('a primary and a synchronous standby', async () => {
    asPostgres(`initdb --auth=trust --username=postgres --pgdata=${at('db-1')} > initdb.log
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${at('db.key')} -out ${at('db.pem')} -subj /CN=test -addext subjectAltName=DNS:localhost 2> openssl.log
cat >> ${at('db-1/postgresql.conf')} <<END
ssl = on
ssl_cert_file = '${at('db.pem')}'
ssl_key_file = '${at('db.key')}'
END`);
    startServer(at('db-1'), ports.primary);
    query(
      withOwn(blockWith('The database', 'create role', 'sql'), {
        "'*'": "'localhost'",
        '/var/backups/access-admin': backups,
      }),
    );
    const rules = withOwn(blockWith('The database', 'hostssl', 'text'), { '10.0.0.0/24': '127.0.0.1/32' });
    asPostgres(`printf '%s' 'local all all trust\nlocal replication all trust\n${rules}' > ${at('db-1/pg_hba.conf')}`);
    succeed(withOwn(blockWith('The database', 'install -d'), { '/var/backups/access-admin': backups }));
    stopServer(at('db-1'), 'fast');
    startServer(at('db-1'), ports.primary);
    asPostgres(
      withOwn(blockWith('The database', 'pg_basebackup'), {
        'db-1.example.com': 'localhost',
        '/var/lib/postgresql/15/main': at('db-2'),
      }),
    );
    startServer(at('db-2'), ports.standby);
    query(blockWith('The database', 'synchronous_standby_names', 'sql'));
    const shown = () => query(blockWith('The database', 'sync_state', 'sql'));
    await expect.poll(shown, { timeout: 20_000 }).toBe('db_2|sync');
  });

  test('two machines with an API and a worker each, behind nginx', async () => {
    succeed(
      withOwn(blockWith('The service', 'SECRET_KEY'), {
        '10.0.0.0/24': '127.0.0.1',
        '0.0.0.0': '127.0.0.1',
        'db.example.com:5432': `localhost:${ports.primary}`,
        'sslmode=verify-full': `sslmode=verify-full&sslrootcert=${at('db.pem')}`,
        '/etc/access-admin': at('etc'),
        'METRICS_PORT=9464': `METRICS_PORT=${ports.metrics}`,
        'METRICS_PORT=9465': `METRICS_PORT=${ports.workerMetrics}`,
        '@8080': `@${ports.first}`,
      }),
    );
    const migrate = withOwn(blockWith('The service', 'migrate'), {
      'db.example.com:5432': `localhost:${ports.primary}`,
      'sslmode=verify-full': `sslmode=verify-full&sslrootcert=${at('db.pem')}`,
      '/usr/bin/node /opt/access-admin/node_modules/access-admin': `${process.execPath} ${join(ROOT, 'apps/server')}`,
    });
    // The role of the processes cannot make the schema; the refusal names the command of the owner.
    asPostgres(
      "createdb --template=template0 --encoding=UTF8 --owner=access_admin_owner access_admin_restored && psql -q -d access_admin_restored -c 'create extension pg_trgm'",
    );
    const own = {
      'access_admin_owner:owner-password': 'access_admin:service-password',
      '/access_admin?': '/access_admin_restored?',
    };
    const early = runShell(withOwn(migrate, own), {}, folder);
    expect(early).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('run "access-admin migrate" as the owner'),
    });
    asPostgres('dropdb access_admin_restored');
    expect(succeed(migrate)).toContain('is migrated');
    const dropped = `psql -d access_admin -c 'set role access_admin' -c 'drop trigger audit_event_is_not_changed on audit_event' 2>&1`;
    expect(asPostgres(`${dropped} || true`)).toContain('must be owner of relation audit_event');
    startUnit('api', ports.first);
    untilReady(ports.first);
    startUnit('worker', 1);
    startUnit('api', ports.second);
    startUnit('worker', 2);
    untilReady(ports.second);
    const config = withOwn(readFileSync(join(ROOT, 'deploy/nginx/access-admin.conf'), 'utf8'), {
      'app-1.example.com:8080': `127.0.0.1:${ports.first}`,
      'app-2.example.com:8080': `127.0.0.1:${ports.second}`,
      '/etc/nginx/access-admin/': '',
    });
    proxy = stack.use(await startNginx('*.access.example.com', config));
    succeed(withOwn(blockWith('The proxy', 'curl'), { [`curl -f https://${HOST}/readyz`]: curl('/readyz') }));
    const hidden = runShell(curl('/metrics'), {}, folder);
    expect(hidden.stderr).toContain('403');
    const sample = join(ROOT, 'tooling/sample/sample.ndjson');
    const imported = succeed(
      curl(
        '/access-model/v1/import',
        '-H "Authorization: Bearer $TOKEN"',
        "-H 'Content-Type: application/x-ndjson'",
        `--data-binary @${sample}`,
      ),
      { TOKEN: tokenOf() },
    );
    expect(imported).toContain('"sodPolicy":{"created":66,');
  });

  test('the first administrator is invited by the link of her tenant', () => {
    const [invite = ''] = sectionBlocks(PAGE, 'The first administrator');
    const command = /access-admin\.mjs (invite .*)$/m.exec(invite)?.[1] ?? '';
    const env = {
      DATABASE_URL: variable('DATABASE_URL'),
      BASE_ADDRESS: variable('BASE_ADDRESS'),
      SECRET_KEY: variable('SECRET_KEY'),
    };
    const printed = succeed(`${process.execPath} ${join(ROOT, 'apps/server/bin/access-admin.mjs')} ${command}`, env);
    expect(printed).toContain(`https://${HOST}/`);
  });

  test('callers notice nothing while one API after the other restarts', async () => {
    const calls = startProcess(
      [
        'bash',
        '-euc',
        `until [ -e upgraded ]; do ${curl('/sod-policies/v1?limit=1', '-H "Authorization: Bearer $TOKEN" > /dev/null')}; done`,
      ],
      { cwd: folder, env: { TOKEN: tokenOf() } },
    );
    for (const port of [ports.first, ports.second]) {
      await running.get(`api@${port}`)?.stop();
      startUnit('api', port);
      untilReady(port);
    }
    writeFileSync(at('upgraded'), '');
    expect([await calls.ended, calls.output()]).toEqual([expect.objectContaining({ code: 0 }), '']);
  });

  test('a dump is restored, and the archive leads back to an instant', async () => {
    const own = (text: string) => withOwn(text, { '/var/backups/access-admin': backups });
    const collected = { '/var/lib/prometheus/node-exporter': at('collected') };
    mkdirSync(at('collected'));
    succeed(withOwn(blockWith('Backups', 'install -o'), collected));
    asPostgres(withOwn(own(blockWith('Backups', 'pg_dump')), collected));
    const [, begun] =
      /^access_admin_backup_time_seconds (\d+)\n$/.exec(readFileSync(at('collected/access-admin.prom'), 'utf8')) ?? [];
    expect(Math.abs(Date.now() / 1000 - Number(begun))).toBeLessThan(600);
    expect(readdirSync(at('backups/dumps'))).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d\.dump$/)]);
    asPostgres(own(blockWith('Restoring a dump', 'pg_restore')));
    const count = identities(ports.primary, 'access_admin');
    expect(count).toBeGreaterThan(100);
    expect(identities(ports.primary, 'access_admin_restored')).toBe(count);
    expect(
      query(
        "select distinct tableowner from pg_tables where schemaname = 'public'",
        ports.primary,
        'access_admin_restored',
      ),
    ).toBe('access_admin_owner');

    const granted = "select has_table_privilege('access_admin', 'identity', 'insert')";
    expect(query(granted, ports.primary, 'access_admin_restored')).toBe('t');

    const archive = () => readdirSync(at('backups/wal')).filter((name) => /^[0-9A-F]{24}$/.test(name));
    const earlier = archive();
    asPostgres(own(blockWith('Backups', 'pg_basebackup')));
    const [copy = ''] = readdirSync(at('backups/base'));
    const label = readFileSync(at('backups/base', copy, 'backup_label'), 'utf8');
    const [, begin = ''] = /^START WAL LOCATION.*\(file (\w+)\)$/m.exec(label) ?? [];
    expect(earlier.some((segment) => segment < begin)).toBe(true);
    expect(archive().filter((segment) => segment < begin)).toEqual([]);
    const instant = query('select now()');
    query('delete from identity', ports.primary, 'access_admin');
    const segment = query('select pg_walfile_name(pg_switch_wal())');
    const archived = () => query(`select last_archived_wal >= '${segment}' from pg_stat_archiver`);
    await expect.poll(archived, { timeout: 20_000 }).toBe('t');
    const recovered = at('recovered');
    asPostgres(
      `INSTANT='${instant}' COPY=$(date +%F)\n${withOwn(own(blockWith('Going back to an instant', 'recovery.signal')), { '/var/lib/postgresql/15/recovered': recovered })}`,
    );
    startServer(recovered, ports.recovered);
    expect(identities(ports.recovered, 'access_admin')).toBe(count);

    const units = [...running.entries()];
    await Promise.all(units.map(([, unit]) => unit.stop()));
    query(blockWith('Restoring a dump', 'alter database', 'sql'));
    for (const [name] of units) {
      const [app, instance] = name.split('@');
      startUnit(app === 'api' ? 'api' : 'worker', Number(instance));
    }
    untilReady(ports.first);
    untilReady(ports.second);
    expect(identities(ports.primary, 'access_admin')).toBe(count);
  });

  test('the service goes on after the standby is promoted, with all that was acknowledged', async () => {
    const made = JSON.parse(
      succeed(
        curl(
          '/oauth-clients/v1',
          '-H "Authorization: Bearer $TOKEN"',
          "-H 'Content-Type: application/json'",
          `-d '{"name":"before","scopes":["sod-policies:read"]}'`,
        ),
        {
          TOKEN: tokenOf(),
        },
      ),
    );
    stopServer(at('db-1'), 'immediate');
    query(blockWith('Losing a machine', 'pg_promote', 'sql'), ports.standby);
    // The address of the primary moves.
    stopServer(at('db-2'), 'fast');
    startServer(at('db-2'), ports.primary);
    untilReady(ports.first);
    untilReady(ports.second);
    const clients = succeed(curl('/oauth-clients/v1', '-H "Authorization: Bearer $TOKEN"'), { TOKEN: tokenOf() });
    expect(clients).toContain(String(Object(made).id));
  });
});
