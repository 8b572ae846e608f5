import { randomUUID } from 'node:crypto';
import { type AccessAdminClient, type ClientOptions, createClient } from '@access-admin/client';
import { SCOPES, type Scope } from '@access-admin/domain';
import { freePort, openFolder, ROOT, startApp } from '@access-admin/harness';
import { type Engine, summed } from '../campaign/campaign.ts';
import { awaitReadiness } from './await-readiness.ts';
import { type DatabasePlan, openDatabase } from './open-database.ts';
import { openSlot, type ProcessSlot } from './process-slot.ts';

const READY_MS = 30_000;
/** A third of the lifetime of a token. */
const RENEW_AFTER_MS = 5 * 60_000;

type Environment = Readonly<Record<string, string>>;

export interface ApiSlot extends ProcessSlot {
  readonly baseAddress: string;
}

/** A new OAuth client: by default an application of the default tenant with every scope. */
export interface ClientPlan {
  readonly name?: string;
  readonly tenant?: string;
  readonly scopes?: readonly Scope[];
  readonly identityId?: string | null;
}

export interface RegisteredClient {
  readonly id: string;
  readonly secret: string;
  /** The current token. */
  readonly token: string;
}

/** A database with API and worker processes on it. Disposing of it ends and removes everything. */
export type Fleet = Awaited<ReturnType<typeof openFleet>>;

export interface FleetPlan extends DatabasePlan {
  readonly apis: number;
  readonly workers: number;
  /** Environment of each process, besides what every process needs. */
  readonly env?: (name: string) => Environment;
  /** The root folder of the built checkout of the next process in a slot; by default this checkout. */
  readonly checkout?: (name: string) => string;
}

/** Starts a fleet and resolves once it is ready. */
export async function openFleet(engine: Engine, plan: FleetPlan) {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openDatabase(engine, plan));
  const cwd = stack.use(openFolder('proof')).path;
  const credentials = { clientId: 'proof', clientSecret: randomUUID() };
  const crashes: string[] = [];
  const open = (app: 'api' | 'worker', number: number, own: Environment): ProcessSlot => {
    const name = `${app} ${number}`;
    const env = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', ...own, ...plan.env?.(name) };
    const slot = openSlot(
      name,
      () => startApp(app, { env, cwd, checkout: plan.checkout?.(name) ?? ROOT }),
      (text) => crashes.push(text),
    );
    stack.defer(slot.clear);
    return slot;
  };
  const apis: ApiSlot[] = [];
  for (let number = 0; number < plan.apis; number++) {
    const PORT = String(await freePort());
    const bootstrap = { BOOTSTRAP_CLIENT_ID: credentials.clientId, BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret };
    const slot = open('api', number, { ...bootstrap, PORT, RATE_LIMIT: 'off' });
    apis.push(Object.assign(slot, { baseAddress: `http://127.0.0.1:${PORT}` }));
    // The first API creates the schema, and tokens are signed for its address.
    if (number === 0) await becomesReady(apis, crashes);
  }
  const workers = Array.from({ length: plan.workers }, (_, number) => open('worker', number, {}));
  await becomesReady(apis, crashes);
  const [api] = apis;
  if (api === undefined) throw new Error('a fleet needs an API');
  const root = createClient({ baseAddress: api.baseAddress, ...credentials });
  const owned = stack.move();
  return {
    database,
    apis,
    workers,
    /** The first API, and a client of it with every scope. */
    api,
    root,
    ...createRegistry(root, api),
    /** Processes that ended unexpectedly, as a finding. */
    crashes: () => summed('processes crashed', crashes),
    /** One client of each API, with every scope. */
    connect: (options?: Pick<ClientOptions, 'fetch' | 'retries'>) =>
      apis.map(({ baseAddress }) => createClient({ ...options, baseAddress, ...credentials })),
    /** Resolves once every API answers that it is ready. */
    becomesReady: () => becomesReady(apis, crashes),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function becomesReady(apis: readonly ApiSlot[], crashes: readonly string[]): Promise<void> {
  const late = await awaitReadiness(apis, true, READY_MS);
  if (late.length > 0) throw new Error(`not ready: ${late.join()}; ${crashes.join('; ')}`);
}

/** Registers clients at an API and keeps their tokens valid. */
function createRegistry({ oauthClients }: AccessAdminClient, { baseAddress }: ApiSlot) {
  const registered: { -readonly [Name in keyof RegisteredClient]: RegisteredClient[Name] }[] = [];
  const secrets: string[] = [];
  let renewedMs = performance.now();
  return {
    /** The secrets and tokens of all registered clients. */
    secrets: secrets as readonly string[],
    /** Registers a client and requests a token for it. */
    register: async ({ scopes = SCOPES, ...plan }: ClientPlan = {}): Promise<RegisteredClient> => {
      const { id, secret } = await oauthClients.create({ name: 'proof', scopes, ...plan });
      const client = { id, secret, token: await requestToken(baseAddress, id, secret) };
      registered.push(client);
      secrets.push(secret, client.token);
      return client;
    },
    /** Requests new tokens for the registered clients that still exist, once the current ones are old. */
    renewTokens: async () => {
      if (performance.now() - renewedMs < RENEW_AFTER_MS) return;
      renewedMs = performance.now();
      for (const client of registered) {
        // A client that was deleted gets none.
        client.token = await requestToken(baseAddress, client.id, client.secret).catch(() => client.token);
        secrets.push(client.token);
      }
    },
  };
}

/** Requests a token at the token endpoint. */
async function requestToken(baseAddress: string, clientId: string, clientSecret: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await fetch(`${baseAddress}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = Object(await answer.json());
  if (typeof token !== 'string') throw new Error(`no token: ${answer.status}`);
  return token;
}
