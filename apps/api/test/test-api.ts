import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { SCOPES, type Scope } from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { CACHE_BYTES_DEFAULT, createSecretCipher, openStore, type SecretCipher, type Store } from '@access-admin/store';
import type { DecisionLog, Tracing } from '@access-admin/telemetry';
import type { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { createApp } from '../src/app.ts';
import { openDenialLog } from '../src/audit/denial-log.ts';
import { prepareBootstrapClient } from '../src/auth/client-secrets/bootstrap-client.ts';
import { createDeriveKey, createSecrets, type DeriveKey, type ScryptCost } from '../src/auth/client-secrets/secrets.ts';
import { openSigningKeys } from '../src/auth/signing-keys.ts';
import type { Config } from '../src/config.ts';
import type { ApiEnv } from '../src/env.ts';
import { hashPassword, verifyPassword } from '../src/sign-in/factors/argon2.ts';
import type { PasswordThreads } from '../src/sign-in/factors/password-threads.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { expectDocumented } from './expect-documented.ts';

const rejectGenerated = () => Promise.reject(new Error('the credentials are given'));

export interface TestCall {
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
  /** A string or bytes are sent as they are; anything else as JSON. */
  readonly body?: unknown;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used.
  readonly json: any;
}

/** Hashing a secret at the real cost takes 30 ms, which is most of the time of a short test. */
const CHEAP: ScryptCost = { N: 2, r: 1, p: 1 };

const cheapPasswords: Pick<PasswordThreads, 'run'> = {
  run: async ({ password, stored, salt }) =>
    stored === null ? hashPassword(password, salt, { memory: 8, passes: 1 }) : verifyPassword(password, stored),
};

export const CIPHER_KEY = 'a key that tests give to the API';

const DEFAULTS = {
  baseAddress: 'http://127.0.0.1:8080',
  tenant: 'default',
  rateLimit: null,
  externalIssuer: null,
  logLevel: 'info',
  metricsPort: null as number | null,
  metricsToken: null as string | null,
  trustedProxies: null,
  cipher: createSecretCipher({ current: CIPHER_KEY, previous: null }),
  webhookTargets: new Set<string>(),
  mail: null,
  countryHeader: null,
  countryOf: (): string | null => null,
  signInApplications: [],
  consoleFolder: null,
  experimentalHeader: 'required' as Config['experimentalHeader'],
  cacheBytes: CACHE_BYTES_DEFAULT,
  deriveKey: createDeriveKey(CHEAP),
  passwordThreads: cheapPasswords,
  wait: async () => {},
  decisions: null as Pick<DecisionLog, 'write'> | null,
  tracing: null as Pick<Tracing, 'start'> | null,
};

type TestConfig = Pick<Config, Exclude<keyof typeof DEFAULTS, NotConfigured>> & {
  readonly deriveKey: DeriveKey;
  readonly cipher: SecretCipher | null;
  readonly passwordThreads: Pick<PasswordThreads, 'run'>;
  readonly wait: (ms: number) => Promise<void>;
  readonly decisions: Pick<DecisionLog, 'write'> | null;
  readonly tracing: Pick<Tracing, 'start'> | null;
};

type NotConfigured = 'deriveKey' | 'cipher' | 'passwordThreads' | 'wait' | 'decisions' | 'tracing';

const CONTENT_TYPES: Record<string, string> = { PATCH: 'application/json-patch+json' };

const migrate = async (url: string) => (await openStore(url)).close();

/** The API on a real database of its own, with an injected clock; closed when the test ends. */
export async function openTestApi(config: Partial<TestConfig> = {}, engine?: Store['engine'] | 'citus') {
  const { api, close } = await openApi(config, engine);
  onTestFinished(close);
  return api;
}

/** The API on a real database of its own; the caller closes it. */
export async function openApi(config: Partial<TestConfig> = {}, engine?: Store['engine'] | 'citus') {
  const { url, remove } = await createEngineDatabase(engine, migrate);
  const store = await openStore(url);
  const stopping = new AbortController();
  const api = { ...(await createTestApi(store, { ...DEFAULTS, ...config }, stopping)), url };
  const close = async () => {
    stopping.abort();
    await store.close();
    await remove();
  };
  return { api, close };
}

async function createTestApi(store: Store, config: TestConfig, stopping: AbortController) {
  const clock = { nowMs: Date.parse('2026-11-21T09:30:00.000Z') };
  const now = () => new Date(clock.nowMs);
  const lines: { readonly fields: Record<string, unknown>; readonly message: string }[] = [];
  const metrics = createMetrics({ store, stdout: { lostCount: () => 0 }, now: () => clock.nowMs });
  const record = (fields: object, message: string) => lines.push({ fields: { ...fields }, message });
  const ids = {
    newId: () => randomUUID(),
    newSecret: () => randomBytes(32).toString('base64url'),
    newBytes: (count: number) => randomBytes(count),
    newTrackingId: () => randomBytes(16).toString('hex'),
  };
  const bootstrap = { tenant: 'default', bootstrapClientId: 'root', bootstrapClientSecret: 'root secret%' };
  const secrets = createSecrets({ deriveKey: config.deriveKey, elapsed: () => clock.nowMs });
  await prepareBootstrapClient({
    clients: store.clients,
    secrets,
    config: bootstrap,
    log: { warn: record },
    now,
    ...ids,
    keep: rejectGenerated,
  });
  const elapsed = () => clock.nowMs;
  const keys = await openSigningKeys(
    { store: store.signingKeys, now, elapsed, log: { info: record } },
    config.baseAddress,
  );
  const later: (() => void)[] = [];
  const denials = openDenialLog({
    audit: store.audit,
    later: (task) => later.push(task),
    log: { error: record },
  });
  const app = createApp({
    store,
    config,
    system: { now, elapsed, wait: config.wait, ...ids },
    keys,
    secrets,
    cipher: config.cipher,
    passwordThreads: config.passwordThreads,
    denials,
    decisions: config.decisions,
    tracing: config.tracing,
    log: {
      request: ({ state: { trackingId, operationId, caller, refusal }, ...line }) =>
        record({ operation: operationId, trackingId, ...line, ...caller, ...refusal }, 'request'),
      error: record,
    },
    metrics,
    stopping: stopping.signal,
  });

  /** Ends the minute of denials, so that their counts are recorded. */
  const endMinute = async () => {
    for (const task of later.splice(0)) task();
    await denials[Symbol.asyncDispose]();
  };
  const send = sendTo(app);
  return {
    app,
    send,
    store,
    clock,
    lines,
    later,
    denials,
    endMinute,
    stopping,
    metrics,
    ...createTestCalls(send),
  };
}

/** Sends a request, as `fetch` does, and resolves with the answer. */
export type Send = (path: string, init?: RequestInit, remoteAddress?: string) => Promise<Response>;

/** The host that requests name unless they name another one: that of the default base address. */
const HOST = '127.0.0.1:8080';

/** Sends requests to the app without a socket. */
const sendTo =
  (app: Hono<ApiEnv>): Send =>
  async (path, init = {}, remoteAddress = '127.0.0.1') => {
    const headers = new Headers(init.headers);
    if (!headers.has('host')) headers.set('host', HOST);
    return app.request(path, { ...init, headers }, { remoteAddress });
  };

/** Calls as those of any client. */
function createTestCalls(send: Send) {
  async function call(method: string, path: string, options: TestCall = {}): Promise<TestAnswer> {
    const { token = await rootToken(), headers = {}, body } = options;
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await send(path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': CONTENT_TYPES[method] ?? 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    // The turn of the last piece ends before the test lets time pass, which would count as its work.
    await setImmediate();
    expectDocumented({ method, path, status: response.status, text });
    const isJson = /^application\/(?:scim\+)?json/.test(response.headers.get('content-type') ?? '') && text !== '';
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  }

  const requestToken = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    call('POST', '/oauth/token', {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    });

  async function tokenFor(clientId: string, clientSecret: string): Promise<string> {
    const answer = await requestToken({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
    return answer.json.access_token;
  }

  let root: Promise<string> | null = null;
  const rootToken = () => (root ??= tokenFor('root', 'root secret%'));

  /** A token of a new client. */
  async function clientToken(
    client: { scopes?: readonly Scope[]; identityId?: string; tenant?: string } = {},
  ): Promise<string> {
    const created = await call('POST', '/oauth-clients/v1', { body: { name: 'test', scopes: SCOPES, ...client } });
    if (created.status !== 201) throw new Error(`no client: ${created.text}`);
    return tokenFor(created.json.id, created.json.secret);
  }

  async function importRecords(records: readonly object[], token?: string): Promise<TestAnswer> {
    return call('POST', '/access-model/v1/import', {
      ...(token === undefined ? {} : { token }),
      headers: { 'content-type': 'application/x-ndjson' },
      body: records.map((line) => JSON.stringify(line)).join('\n'),
    });
  }

  return { call, requestToken, tokenFor, rootToken, clientToken, importRecords };
}

export type TestApi = Awaited<ReturnType<typeof openTestApi>>;

/** The records that most tests import: two administrators, a helpdesk agent, a clerk, a role with `e-vendor`, and a policy. */
export const WORLD = [
  { kind: 'entitlement', id: 'e-vendor', name: 'ERP: create vendor', source: 'ERP' },
  { kind: 'entitlement', id: 'e-pay', name: 'AP: release payment', source: 'ERP' },
  { kind: 'entitlement', id: 'e-report', name: 'BI: read', source: 'BI' },
  { kind: 'accessProfile', id: 'ap-vendor', name: 'Vendor master', entitlements: ['e-vendor'] },
  { kind: 'role', id: 'r-buyer', name: 'Buyer', accessProfiles: ['ap-vendor'], entitlements: ['e-report'] },
  { kind: 'identityProfile', id: 'ip-emp', name: 'Employees' },
  { kind: 'identity', id: 'i-ada', uid: 'ada', identityProfile: 'ip-emp', capabilities: ['ORG_ADMIN'] },
  { kind: 'identity', id: 'i-bob', uid: 'bob', identityProfile: 'ip-emp', capabilities: ['ORG_ADMIN', 'HELPDESK'] },
  { kind: 'identity', id: 'i-hal', uid: 'hal', identityProfile: 'ip-emp', capabilities: ['HELPDESK', 'POLICY_ADMIN'] },
  {
    kind: 'identity',
    id: 'i-cleo',
    uid: 'cleo',
    identityProfile: 'ip-emp',
    email: 'cleo@example.com',
    access: [{ type: 'ROLE', id: 'r-buyer' }],
  },
  {
    kind: 'sodPolicy',
    id: 'p-1',
    name: 'Vendor and payment',
    level: 'CRITICAL',
    conflictingAccessCriteria: {
      leftCriteria: { name: 'create vendor', criteriaList: [{ type: 'ENTITLEMENT', id: 'e-vendor' }] },
      rightCriteria: { name: 'pay vendor', criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay' }] },
    },
  },
] as const;
