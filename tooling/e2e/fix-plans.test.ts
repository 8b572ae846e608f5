import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openService, ROOT } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';
import { blocksOf, runShell } from './pages.ts';

test('the guide of fix plans, pasted into one shell, does what it says', async () => {
  const service = openService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const api = await service.startApi();
  service.startWorker();
  const sample = readFileSync(join(ROOT, 'tooling/sample/sample.ndjson'), 'utf8').trimEnd().split('\n');
  await api.client.accessModel.import(sample.map((line) => JSON.parse(line)));
  const isFilled = async () => (await api.client.violations.summary()).identities;
  await expect.poll(isFilled).toBe(300);
  const folder = join(service.folder, 'var');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bootstrap-client.json'), JSON.stringify(service.credentials, null, 2));
  const blocks = blocksOf('docs/guides/fix-plans.md').filter(({ language }) => language === 'sh');
  const script = blocks.map(({ text }) => `${text}\nprintf '\\n%s\\n' '---'\n`).join('');
  const { status, stderr, stdout } = runShell(script.replaceAll('var/', `${folder}/`), {
    PORT: new URL(api.baseAddress).port,
  });
  expect([status, stderr]).toEqual([0, '']);
  const [, planned, done, step, unsolvable, handedOver, checked] = stdout.split('---\n');
  expect(planned).toMatch(/^step,identity,name,type,revoke,revoked,ends,also loses,sources\r?\n1,/m);
  const { state, summary, question } = JSON.parse(done ?? '');
  expect([state, question]).toEqual(['SUCCESS', { levels: ['CRITICAL'] }]);
  const first = JSON.parse(step ?? '');
  expect(first).toMatchObject({ step: 1, ends: [{ level: 'CRITICAL' }] });
  const left = (unsolvable ?? '')
    .trim()
    .split('\n')
    .filter((line) => line !== '');
  expect(left.map((line) => JSON.parse(line).level)).toEqual(Array(summary.unsolvable).fill('CRITICAL'));
  expect(JSON.parse(handedOver ?? '')).toMatchObject({ ...first, comment: 'By Friday.' });
  // Nothing is revoked yet.
  const [asOf, violations] = (checked ?? '').trim().split('\n');
  expect(Date.parse(/^x-as-of: (.*)$/i.exec(asOf?.trim() ?? '')?.[1] ?? '')).toBeGreaterThan(0);
  expect(JSON.parse(violations ?? '')).toMatchObject([
    { target: { id: first.identityId }, policy: { id: first.ends[0].policyId } },
  ]);
});
