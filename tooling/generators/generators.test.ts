import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder, openTestService, type RunningApi } from '@access-admin/harness';
import { afterAll, beforeAll, test } from 'vitest';
import { openGenerators } from './generators.ts';
import { run } from './tools.ts';

/*
 * Clients that generators of others make of the OpenAPI document, called against a service. Each program makes the same calls and
 * prints what the client has read of the answers: a token, an import of lines, a list, a read, a patch, a prediction, an export,
 * refusals and a removal.
 */

const folder = openFolder('generators');
const document = join(folder.path, 'openapi.json');
const service = await openTestService();
let api: RunningApi;

beforeAll(async () => {
  api = await service.startApi();
  writeFileSync(document, await (await fetch(`${api.baseAddress}/openapi.json`)).text());
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const entitlement = (id: string) => ({ type: 'ENTITLEMENT', id });
const side = (id: string) => ({ criteriaList: [entitlement(id)] });

/** What each program imports, under ids of its own. */
const linesOf = (prefix: string) =>
  [
    { kind: 'entitlement', id: `${prefix}-pay`, name: 'Pay' },
    { kind: 'entitlement', id: `${prefix}-vendor`, name: 'Vendor' },
    { kind: 'identityProfile', id: `${prefix}-people`, name: `${prefix} people` },
    {
      kind: 'identity',
      id: `${prefix}-ada`,
      uid: `${prefix}.ada`,
      identityProfile: `${prefix}-people`,
      lastLoginTimestamp: 1763717400000,
      access: [entitlement(`${prefix}-vendor`)],
    },
    {
      kind: 'sodPolicy',
      id: `${prefix}-unknown`,
      name: `${prefix} unknown`,
      conflictingAccessCriteria: { leftCriteria: side(`${prefix}-pay`), rightCriteria: side(`${prefix}-gone`) },
    },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');

const answersOf = (prefix: string) => ({
  token: 'Bearer',
  imported: 2,
  warnings: [
    ['UNKNOWN_ITEM', 'WARNING'],
    ['UNMATCHABLE_POLICY', 'ERROR'],
  ],
  listed: [`${prefix}-vendor`, `${prefix}-pay`],
  lastLogin: 1763717400000,
  assigned: [[`${prefix}-vendor`, null]],
  capabilities: ['HELPDESK'],
  level: 'CRITICAL',
  violated: [`${prefix} policy`, 'CRITICAL'],
  left: [[`${prefix}-pay`, 1]],
  hasProfile: true,
  isExported: true,
  scopes: ['sod-policies:read'],
  missing: [404, '404'],
  refused: [400, ['400.1.3']],
  removed: 204,
});

const environmentOf = (prefix: string) => ({
  SERVICE_URL: api.baseAddress,
  CLIENT_ID: service.credentials.clientId,
  CLIENT_SECRET: service.credentials.clientSecret,
  PREFIX: prefix,
  LINES: linesOf(prefix),
});

/** What generators write of operations and schemas that they leave out. */
const LEFT_OUT = /will not be generated|will be omitted|Failure to process schema|not implemented/i;

// One after the other: compilers use all cores by themselves.
test.for(openGenerators(folder.path))(
  '$name makes a client that compiles, calls and reads the answers',
  async ({ name, whyMissing, prepare }, { expect, skip }) => {
    const reason = whyMissing();
    if (reason !== null) return skip(reason);
    const prefix = name.replaceAll(/[^a-z]/gi, '').toLowerCase();
    const { command, cwd, output } = await prepare(document);
    expect(output.split('\n').filter((line) => LEFT_OUT.test(line))).toEqual([]);
    const printed = await run(command, { cwd, env: environmentOf(prefix) });
    expect(JSON.parse(printed)).toEqual(answersOf(prefix));
  },
);
