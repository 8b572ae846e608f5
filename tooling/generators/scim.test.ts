import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder, openTestService, ROOT } from '@access-admin/harness';
import { afterAll, beforeAll, test } from 'vitest';
import { run, whyNoPython } from './tools.ts';

/*
 * scim2-tester, which others wrote against RFC 7643 and 7644, against a service: it reads what is published of resources, and
 * creates, reads, replaces, patches and deletes them by that.
 */

const reason = whyNoPython(ROOT);
const folder = openFolder('scim2-tester');
const cwd = folder.path;
const service = await openTestService();
let baseAddress: string;

beforeAll(async () => {
  ({ baseAddress } = await service.startApi());
  if (reason !== null) return;
  cpSync(join(ROOT, 'tooling/generators/scim'), cwd, { recursive: true });
  await run(['python3', '-m', 'venv', 'venv'], { cwd });
  await run(['venv/bin/pip', 'install', '--quiet', '--require-hashes', '--requirement', 'requirements.txt'], { cwd });
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Makes a source, and an application that provisions it. Returns a token of the application. */
async function openSource(groups: string): Promise<string> {
  const { clientId, clientSecret } = service.credentials;
  const root = await fetchToken(clientId, clientSecret);
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${root}`, 'content-type': 'application/json' };
    const answer = await fetch(`${baseAddress}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(await answer.text());
    return JSON.parse(await answer.text());
  };
  await post('/sources/v1', { id: groups, name: groups, groups });
  const application = await post('/oauth-clients/v1', { name: 'directory', scopes: ['scim:manage'] });
  return fetchToken(application.id, application.secret);
}

async function fetchToken(id: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const answer = await fetch(`${baseAddress}/oauth/token`, { method: 'POST', body });
  return JSON.parse(await answer.text()).access_token;
}

/** A check: its status, its name, the type of the resource, and why it failed. */
type Check = readonly [status: string, name: string, resourceType: string | null, reason: string | null];

// Checks of writes that a service may offer; fewer mean that the tester has found no resources.
const CHECKS_MIN = 100;

test.for(['ENTITLEMENT', 'ROLE'])(
  'scim2-tester finds no failure where groups are of the kind %s',
  async (groups, { expect, skip }) => {
    if (reason !== null) return skip(reason);
    const env = { SCIM_URL: `${baseAddress}/scim/v2/${groups}`, TOKEN: await openSource(groups) };
    const checks: readonly Check[] = JSON.parse(await run(['venv/bin/python', 'check.py'], { cwd, env }));
    expect(checks.filter(([status]) => status !== 'SUCCESS')).toEqual([]);
    expect(checks.length).toBeGreaterThanOrEqual(CHECKS_MIN);
  },
);
