import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type VerifyReceiptOptions, verifyReceipt } from '@access-admin/client';
import { openService, ROOT, startProcess } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';
import { FORBIDDEN_GRANT, SMALL_COMPANY } from './small-company.ts';

async function open() {
  const service = openService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const api = await service.startApi();
  service.startWorker();
  await api.client.accessModel.import(SMALL_COMPANY);
  const request = { ...FORBIDDEN_GRANT, clientMetadata: { ticket: 'REQ-7' }, at: '2027-01-01T01:00:00+01:00' };
  const { requestId } = await api.client.sodViolations.check(request);
  const check = await api.client.sodViolations.waitForCheck(requestId);
  const receipt = await api.client.sodViolations.receipt(requestId);
  const readKeys = async (): Promise<VerifyReceiptOptions['jwks']> => {
    const response = await fetch(`${api.baseAddress}/.well-known/jwks.json`);
    return JSON.parse(await response.text());
  };
  return { service, ...api, request, check, receipt, readKeys };
}

async function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const tool = startProcess([process.execPath, join(ROOT, program), ...args], { env, cwd: ROOT });
  const { code } = await tool.ended;
  return { code, said: tool.output() };
}

test('a receipt verifies with the SDK and with the command, before and after the key was replaced', async () => {
  const { service, client, baseAddress, request, check, receipt, readKeys } = await open();
  const said = await verifyReceipt(receipt, { jwks: await readKeys(), check, request });
  expect(said).toMatchObject({
    requestId: check.requestId,
    identityId: request.identityId,
    violatedPolicies: ['p-1'],
  });

  const env = { DATABASE_URL: service.databaseUrl, BASE_ADDRESS: baseAddress };
  expect((await run('apps/server/bin/access-admin.mjs', ['keys', 'rotate'], env)).code).toBe(0);
  await expect.poll(async () => (await readKeys()).keys.length).toBe(2);
  // The client goes on with its token, and with a receipt of the new key once the service has read it.
  const kidOf = (jws: string) => JSON.parse(atob(jws.split('.')[0] ?? '')).kid;
  await expect.poll(async () => kidOf(await client.sodViolations.receipt(check.requestId))).not.toBe(kidOf(receipt));
  for (const each of [receipt, await client.sodViolations.receipt(check.requestId)])
    expect(await verifyReceipt(each, { jwks: await readKeys(), check, request })).toEqual(said);

  const files = { 'r.jws': receipt, 'check.json': JSON.stringify(check), 'request.json': JSON.stringify(request) };
  for (const [name, text] of Object.entries(files)) await writeFile(join(service.folder, name), text);
  const [place, ...given] = ['r.jws', 'check.json', 'request.json'].map((name) => join(service.folder, name));
  const args = [place ?? '', '--check', given[0] ?? '', '--request', given[1] ?? ''];
  const keys = ['--jwks', `${baseAddress}/.well-known/jwks.json`];
  const verified = await run('packages/client/dist/sod-receipt-verify.js', [...args, ...keys]);
  expect([verified.code, JSON.parse(verified.said)]).toEqual([0, said]);
});

test('a row that was changed in the database does not go with its receipt', async () => {
  const { service, client, request, check, receipt, readKeys } = await open();
  const database = new DatabaseSync(service.databaseUrl.replace('sqlite:', ''), { timeout: 5_000 });
  database.exec(`update sod_check set result = replace(result, '"p-1"', '"p-new"'), identity_id = 'i-ada'`);
  database.close();
  const jwks = await readKeys();
  const changed = await client.sodViolations.getCheck(check.requestId);
  await expect(verifyReceipt(receipt, { jwks, check: changed })).rejects.toMatchObject({ reason: 'another result' });
  const resigned = await client.sodViolations.receipt(check.requestId);
  await expect(verifyReceipt(resigned, { jwks, check })).rejects.toMatchObject({ reason: 'another result' });
  await expect(verifyReceipt(resigned, { jwks, request })).rejects.toMatchObject({ reason: 'another request' });
});
