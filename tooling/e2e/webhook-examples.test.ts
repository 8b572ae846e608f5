import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, openTestService, ROOT, type RunningApi, startProcess } from '@access-admin/harness';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sectionBlocks } from './pages.ts';

const port = await freePort();
const targets = { WEBHOOK_TARGETS: `http://127.0.0.1:${port}`, SECRET_KEY: 'a-key-that-tests-give-to-their-services' };
const service = await openTestService();
let api: RunningApi;

beforeAll(async () => {
  api = await service.startApi(targets);
  service.startWorker(targets);
  const sample = readFileSync(join(ROOT, 'tooling/sample/sample.ndjson'), 'utf8').trimEnd().split('\n');
  await api.client.accessModel.import(sample.map((line) => JSON.parse(line)));
});

afterAll(() => service[Symbol.asyncDispose]());

/** The program of a document, which receives on the port of this test. */
function programOf(path: string, title: string): string {
  const [program = ''] = sectionBlocks(path, title, 'js');
  expect(program).toContain('9000');
  return program.replaceAll('9000', String(port));
}

function start(program: string, env: Readonly<Record<string, string>> = {}) {
  const { clientId, clientSecret } = service.credentials;
  const credentials = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORT: new URL(api.baseAddress).port };
  // The SDK can be imported from this folder.
  const running = startProcess([process.execPath, '--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    env: { ...credentials, ...env },
  });
  onTestFinished(() => running[Symbol.asyncDispose]());
  return running;
}

const forge = () =>
  fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: {
      'webhook-id': 'x',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,eA==',
    },
    body: '{"id":"x","type":"forged"}',
  });

test('the receiver of docs/start prints what it says, and refuses what is forged', async () => {
  const program = programOf('docs/start/your-program.md', 'Receive events');
  const running = start(program);
  await expect.poll(running.output).toBe('org.access-admin.sod.check.completed.v1 SUCCESS\n');
  expect((await forge()).status).toBe(400);
  expect(running.output()).not.toContain('forged');
});

test('the receiver of docs/guides/events.md needs no SDK', async () => {
  const { client } = api;
  const webhook = { name: 'plain', url: `${targets.WEBHOOK_TARGETS}/`, types: ['ui-metadata.*'] };
  const { id, secret } = await client.webhooks.create(webhook);
  const rotated = await client.webhooks.rotateSecret(id);
  const running = start(programOf('docs/guides/events.md', 'Receiving and verifying'), {
    WEBHOOK_SECRETS: `${secret},${rotated.secret}`,
  });
  await expect
    .poll(() =>
      forge().then(
        ({ status }) => status,
        () => null,
      ),
    )
    .toBe(400);
  await client.uiMetadata.set({ usernameLabel: 'Badge' });
  await expect
    .poll(running.output)
    .toMatch(/^\d{20} org.access-admin.ui-metadata.changed.v1 \/ui-metadata\/v1\/tenant$/m);
  expect(running.output()).not.toContain('forged');
});
