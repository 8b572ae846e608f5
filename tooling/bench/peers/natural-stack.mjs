// A typical first implementation: a router, a schema, a token check, a query builder and a log line, each as documented by
// its library. It sends an answer prepared by its caller and evaluates nothing.
// Started with one argument, JSON: `port`, `database` (a path), `jwks`, `issuer` (also the audience) and `answer`.
import { loadPeer } from './load-peer.ts';

const { serve } = await loadPeer('@hono/node-server');
const { default: Sqlite } = await loadPeer('better-sqlite3');
const { Hono } = await loadPeer('hono');
const { createLocalJWKSet, jwtVerify } = await loadPeer('jose');
const { Kysely, SqliteDialect } = await loadPeer('kysely');
const { pino } = await loadPeer('pino');
const v = await loadPeer('valibot');

const { port, database, jwks, issuer, answer } = JSON.parse(process.argv[2]);

const sqlite = new Sqlite(database);
sqlite.pragma('journal_mode = wal');
sqlite.pragma('synchronous = full');
sqlite.pragma('foreign_keys = on');
const db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) });
const keys = createLocalJWKSet(jwks);
const log = pino();

const predictBody = v.strictObject({
  identityId: v.pipe(v.string(), v.maxLength(128)),
  accessRefs: v.pipe(
    v.array(
      v.strictObject({
        type: v.picklist(['ENTITLEMENT', 'ACCESS_PROFILE', 'ROLE']),
        id: v.string(),
        name: v.optional(v.string()),
        start: v.optional(v.string()),
        end: v.optional(v.string()),
      }),
    ),
    v.maxLength(500),
  ),
  clientMetadata: v.optional(v.record(v.string(), v.string())),
});

const app = new Hono();

app.use(async (c, next) => {
  const started = performance.now();
  await next();
  const durationMs = performance.now() - started;
  log.info(
    { method: c.req.method, path: c.req.path, status: c.res.status, durationMs, clientId: c.get('clientId') },
    'request',
  );
});

app.use(async (c, next) => {
  const token = c.req.header('authorization')?.replace(/^Bearer /, '') ?? '';
  const verified = await jwtVerify(token, keys, { issuer, audience: issuer, typ: 'at+jwt' }).catch(() => null);
  if (verified === null) return c.json({ error: 'unauthenticated' }, 401);
  c.set('clientId', verified.payload.client_id);
  c.set('scopes', String(verified.payload.scope).split(' '));
  await next();
});

app.post('/sod-violations/v1/predict', async (c) => {
  const caller = await db
    .selectFrom('client')
    .leftJoin('capability', 'capability.identity_id', 'client.identity_id')
    .select(['client.id', 'client.identity_id', 'capability.name'])
    .where('client.id', '=', c.get('clientId'))
    .execute();
  const isApplication = caller[0]?.identity_id === null;
  const may = isApplication || caller.some(({ name }) => name === 'ORG_ADMIN' || name === 'POLICY_ADMIN');
  if (!may || !c.get('scopes').includes('sod-violations:read')) return c.json({ error: 'forbidden' }, 403);
  const body = v.safeParse(predictBody, await c.req.json());
  if (!body.success) return c.json({ error: 'bad request', issues: body.issues.map(({ message }) => message) }, 400);
  const held = await db
    .selectFrom('assignment')
    .select(['type', 'access_id'])
    .where('identity_id', '=', body.output.identityId)
    .execute();
  if (held.length === 0) return c.json({ error: 'not found' }, 404);
  return c.body(answer, 200, { 'content-type': 'application/json' });
});

serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
