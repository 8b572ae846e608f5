import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Operation as Definition, OPERATIONS } from '@access-admin/contract';
import { openTestService, ROOT, type RunningApi } from '@access-admin/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRequestBuilder, type RequestBuilder } from './request-builder.ts';

interface Operation {
  readonly operationId: string;
  readonly path: string;
  readonly method: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: { readonly default?: unknown };
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const service = await openTestService();
let api: RunningApi;
let build: RequestBuilder;
let operations: ReadonlyMap<string, Operation>;
const tokens = new Map<string | null, string>();

// The service as `npm start` leaves it, with two policy administrators that have tokens.
beforeAll(async () => {
  api = await service.startApi();
  service.startWorker();
  const sample = readFileSync(join(ROOT, 'tooling/sample/sample.ndjson'), 'utf8').trimEnd().split('\n');
  await api.client.accessModel.import(sample.map((line) => JSON.parse(line)));
  const document: ApiDocument = JSON.parse(await (await fetch(`${api.baseAddress}/openapi.json`)).text());
  build = openRequestBuilder({ ...document, servers: [{ url: api.baseAddress }] });
  operations = new Map(operationsOf(document).map((each) => [each.operationId, each]));
  tokens.set(null, await tokenOf({}));
  // One that stays applied; the examples delete the other.
  await api.client.controls.create({ id: 'c-third-signature', name: 'Third signature', expiration: '20d' });
  for (const identityId of ['i-0280', 'i-0281']) {
    const scopes = ['sod-exceptions:manage', 'sod-violations:manage'] as const;
    const { id, secret } = await api.client.oauthClients.create({ name: identityId, identityId, scopes });
    tokens.set(identityId, await tokenOf({ client_id: id, client_secret: secret }));
  }
  // Another tenant, which is removed.
  await api.client.oauthClients.create({ name: 'first', tenant: 'old-subsidiary', scopes: ['oauth-clients:manage'] });
});

afterAll(() => service[Symbol.asyncDispose]());

test('the page sends the examples of the document, and the service answers as recorded', async () => {
  const made = new Map<string, unknown>();
  const recorded = new Map<string, unknown>();
  for (const { id: operationId, example } of inOrder([...operations.keys()].flatMap((id) => DEFINED.get(id) ?? []))) {
    const operation = operationOf(operationId);
    const deliveryId = Object(made.get('test-webhook-v1')).id;
    const tokenId = Object(made.get('create-bearer-token-v1')).id;
    const answer = await send(operation, example.as ?? null, {
      ...Object(made.get(example.after ?? '')),
      deliveryId,
      tokenId,
    });
    const [status = ''] = Object.keys(operation.responses);
    expect([operationId, answer.status, answer.text]).toEqual([operationId, Number(status), expect.any(String)]);
    made.set(operationId, valuesOf(answer.text)[0]);
    const [mediaType] = Object.keys(operation.responses[status]?.content ?? {});
    if (mediaType === undefined) expect([operationId, answer.text]).toEqual([operationId, '']);
    else recorded.set(operationId, exampleOf(mediaType, answer.text));
  }
  recorded.set('create-token', exampleOf('application/json', await tokenTextOf({ scope: 'sod-policies:read' })));
  const compared = (id: string) => (DEFINED.get(id)?.example.varies ? keysOf : settled);
  // In the order of the document, which the order of the calls is not.
  const inFile = [...operations.keys()].flatMap((id) => (recorded.has(id) ? [[id, recorded.get(id)] as const] : []));
  await expectRecorded('answers', Object.fromEntries(inFile), compared);
});

type Sent = readonly [
  method: string,
  path: string,
  given?: { readonly as?: string | null; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown },
];

const POLICY = '/sod-policies/v1/sod-exp-01';

const REFUSED: Readonly<Record<number, Sent>> = {
  400: [
    'POST',
    '/sod-violations/v1/predict',
    { body: { identityId: 'i-0280', accessRefs: [{ type: 'GROUP', id: 'g' }] } },
  ],
  401: ['GET', POLICY, { headers: { authorization: '' } }],
  403: ['GET', POLICY, { as: 'i-0280' }],
  404: ['GET', '/sod-policies/v1/sod-unknown'],
  409: ['PATCH', POLICY, { body: [{ op: 'test', path: '/name', value: 'Another' }] }],
  410: ['GET', `/events/v1?after=${'9'.repeat(20)}`],
  412: ['PATCH', POLICY, { headers: { 'if-match': '"another"' }, body: [] }],
  413: ['POST', '/sod-policies/v1', { body: 'x'.repeat(64 * 1024) }],
  415: ['POST', '/sod-policies/v1', { headers: { 'content-type': 'text/plain' }, body: {} }],
};

test('the service refuses requests as recorded', async () => {
  const recorded: Record<string, unknown> = {};
  for (const [status, request] of Object.entries(REFUSED)) recorded[status] = await answerOf(Number(status), request);
  // The policy changes between request and approval.
  const exception = exampleIn(operationOf('create-sod-exception-v1'));
  const { id } = await answerOf(201, ['POST', '/sod-exceptions/v1', { as: 'i-0280', body: exception }]);
  const change = [{ op: 'replace', path: '/level', value: 'LOW' }];
  await answerOf(200, ['PATCH', '/sod-policies/v1/sod-p2p-01', { body: change }]);
  recorded[428] = await answerOf(428, ['POST', `/sod-exceptions/v1/${id}/approve`, { as: 'i-0281', body: {} }]);
  await expectRecorded('refusals', recorded, () => settled);
});

async function answerOf(status: number, [method, path, { as = null, headers = {}, body } = {}]: Sent) {
  const type = method === 'PATCH' ? 'application/json-patch+json' : 'application/json';
  const answer = await call(`${api.baseAddress}${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens.get(as)}`, 'content-type': type, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([path, answer.status, answer.text]).toEqual([path, status, expect.any(String)]);
  return JSON.parse(answer.text);
}

/** The answer as the document shows it: of lines the first ones. */
function exampleOf(mediaType: string, text: string): unknown {
  if (mediaType === 'application/jose') return text;
  const values = valuesOf(text.replaceAll(api.baseAddress, 'http://127.0.0.1:8080')).map(withoutSecrets);
  return mediaType === 'application/x-ndjson' ? values.slice(0, FIRST_LINES) : values[0];
}

const FIRST_LINES = 3;

const withoutSecrets = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, each: unknown) => {
    if (key === 'access_token') return 'a signed JWT';
    if (key === 'secret' || key === 'token') return 'shown in this answer alone';
    return key === 'url' ? String(each).replace(/(?<=\/sign-in-link\/).*/, 'shown-in-this-answer-alone') : each;
  });

/**
 * Compares answers with those of the file that the document is made from. A recorded answer that differs only in values that
 * each run has its own of counts as equal; `vitest -u` replaces the others.
 */
async function expectRecorded(
  file: string,
  given: Readonly<Record<string, unknown>>,
  compared: (key: string) => (value: unknown) => unknown,
): Promise<void> {
  const path = join(ROOT, `packages/contract/examples/${file}.json`);
  const known = JSON.parse(readFileSync(path, 'utf8'));
  const shown = Object.entries(given).map(([key, answer]) => {
    const comparable = compared(key);
    const isEqual = known[key] !== undefined && isDeepStrictEqual(comparable(known[key]), comparable(answer));
    return [key, isEqual ? known[key] : answer];
  });
  const text = `${JSON.stringify(Object.fromEntries(shown), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(path);
}

// Whether a client was used before, or a violation has an owner, depends on what was called.
const keysOf = (value: unknown) =>
  Object.keys(Object([value].flat()[0]))
    .filter((key) => key !== 'lastUsed' && key !== 'owner')
    .toSorted();

const DEFINED: ReadonlyMap<string, Definition> = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

const CALLS_IN_ORDER =
  'set-auth-org-network-config-v1 patch-auth-org-network-config-v1 list-controls-v1 get-control-v1 put-control-v1 patch-control-v1 create-sod-policy-v1 lint-sod-policies-v1 get-sod-policy-v1 put-sod-policy-v1 patch-sod-policy-v1 get-sod-policy-history-v1 list-violations-v1 get-violation-v1 reassign-violation-v1 list-my-violations-v1 apply-control-v1 create-bearer-token-v1 list-bearer-tokens-v1 delete-bearer-token-v1 list-source-loads-v1 get-source-load-v1'.split(
    ' ',
  );

/** Every operation, those that need another's effect after it. */
function inOrder(all: readonly Definition[]) {
  const last = [
    'get-tenant-branding-v1',
    'list-my-violations-v1',
    'import-access-model-v1',
    'delete-control-v1',
    'revoke-sod-exception-v1',
    'delete-sod-policy-v1',
    'delete-oauth-client-v1',
    'delete-webhook-v1',
    'delete-source-v1',
  ];
  const rank = (id: string) => {
    // Of the identity that is deleted before.
    if (id === 'erase-identity-v1') return 5;
    // The examples of other operations count the records of the sample.
    if (/^(create|put|patch|delete)-(identity|entitlement|access-profile|role|identity-profile)-v1$/.test(id)) return 4;
    if (last.includes(id)) return 3;
    // What the load brings.
    if (/-accounts?-/.test(id)) return 2.5;
    if (CALLS_IN_ORDER.includes(id)) return 2;
    return /^(create|start|test|decide)-/.test(id) ? 0 : 1;
  };
  const rankAfter = (id: string): number => Math.max(rank(id), rank(DEFINED.get(id)?.example.after ?? id));
  return (
    all
      // A session begins when a person signs in, the load is committed, and the reservation is settled. No answer has a body.
      .filter(({ id }) => !/^(end-session|cancel-source-load|delete-sod-reservation)-v1$/.test(id))
      .toSorted((left, right) => rankAfter(left.id) - rankAfter(right.id))
  );
}

async function send(operation: Operation, as: string | null, source: unknown) {
  const { operationId, parameters = [], requestBody } = operation;
  const [requestContentType] = Object.keys(requestBody?.content ?? {});
  const example = exampleIn(operation);
  const made: Readonly<Record<string, unknown>> = Object(source);
  const ids: Readonly<Record<string, unknown>> = {
    requestId: made['requestId'],
    reportId: made['reportId'],
    loadId: made['loadId'],
    id: made['id'],
    deliveryId: made['deliveryId'],
    tokenId: made['tokenId'],
  };
  const given = parameters.map(({ name, in: place, required = false, schema, example: value }) => [
    name,
    value ?? (place === 'path' ? ids[name] : required ? schema.default : undefined),
  ]);
  const { url, ...request } = build({
    operationId,
    parameters: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...(requestContentType === undefined
      ? {}
      : { requestContentType, requestBody: typeof example === 'string' ? example : JSON.stringify(example) }),
  });
  const authorization = { ...request.headers, authorization: `Bearer ${tokens.get(as)}` };
  const { after = '' } = DEFINED.get(operationId)?.example ?? {};
  const isMadeByWorkers = after !== '' && (operation.method === 'get' || after.startsWith('start-'));
  return isMadeByWorkers
    ? until(() => call(url, { ...request, headers: authorization }))
    : call(url, { ...request, headers: authorization });
}

const exampleIn = ({ requestBody }: Operation) => Object.values(requestBody?.content ?? {})[0]?.example;

async function call(url: string, init: object) {
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text() };
}

/** Repeats a read until a worker has done what it tells of. */
async function until(read: () => ReturnType<typeof call>): ReturnType<typeof call> {
  for (;;) {
    const answer = await read();
    if (answer.status !== 409 && !answer.text.includes('"completed":null')) return answer;
  }
}

function operationOf(operationId: string): Operation {
  const operation = operations.get(operationId);
  if (operation === undefined) throw new Error(`no operation ${operationId}`);
  return operation;
}

const operationsOf = (document: ApiDocument) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  );

const tokenOf = async (form: object): Promise<string> => JSON.parse(await tokenTextOf(form)).access_token;

/** The answer of the token endpoint; by default to the first client. */
async function tokenTextOf(form: object): Promise<string> {
  const { clientId, clientSecret } = service.credentials;
  const first = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await call(`${api.baseAddress}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...first, ...form }),
  });
  expect(answer).toEqual({ status: 200, text: expect.any(String) });
  return answer.text;
}

const valuesOf = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(isJws(line) ? Buffer.from(line.split('.')[1] ?? '', 'base64url').toString() : line));

const isJws = (line: string) => /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(line);

const VARIES =
  /^(creatorId|modifierId|sequence|policySetVersion|secret|token|signature|progress|kind|reportId|clientId)$/;
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'an id'],
  // A midnight comes from a request, and stays as it is.
  [/^\d{4}-\d{2}-\d{2}T(?!00:00:00\.000Z)\d{2}:\d{2}:\d{2}\.\d{3}Z$/, 'an instant'],
  [/^([0-9a-f]{32}|[0-9a-f]{64})$/, 'a hash'],
];

const SEQUENCE = /\b\d{20}\b/;

/** The answer with a type in place of each value that differs between runs. */
function settled(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each: unknown) => {
    if (VARIES.test(key)) return typeof each;
    if (typeof each !== 'string') return each;
    if (isJws(each)) return settled(valuesOf(each));
    const kind = KINDS.find(([pattern]) => pattern.test(each))?.[1];
    return kind ?? each.replace(SEQUENCE, 'a sequence');
  });
}
