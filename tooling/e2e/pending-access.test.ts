import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openService, ROOT } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';
import { blocksOf, runShell } from './pages.ts';

test('the guide of pending access, pasted into one shell, does what it says', async () => {
  const service = openService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const api = await service.startApi();
  const sample = readFileSync(join(ROOT, 'tooling/sample/sample.ndjson'), 'utf8').trimEnd().split('\n');
  await api.client.accessModel.import(sample.map((line) => JSON.parse(line)));
  const folder = join(service.folder, 'var');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bootstrap-client.json'), JSON.stringify(service.credentials, null, 2));
  const blocks = blocksOf('docs/guides/pending-access.md').filter(({ language }) => language === 'sh');
  const script = blocks.map(({ text }) => `${text}\nprintf '\\n%s\\n' '---'\n`).join('');
  const { status, stderr, stdout } = runShell(script.replaceAll('var/', `${folder}/`), {
    PORT: new URL(api.baseAddress).port,
  });
  expect([status, stderr]).toEqual([0, expect.stringContaining('not reserved: the access conflicts with')]);
  const [, reserved, refused, predicted, settled, listed, commanded] = stdout.split('---\n');
  const { id, ...shown } = JSON.parse(reserved ?? '');
  expect(shown).toMatchObject({ state: 'LIVE', reference: 'REQ-1', prediction: { violationContexts: [] } });
  const pending = [{ reservationId: id, reference: 'REQ-1' }];
  const { detailCode, prediction } = JSON.parse(refused ?? '');
  expect(detailCode).toBe('409.1');
  for (const { violationContexts } of [prediction, JSON.parse(predicted ?? '')])
    expect(JSON.stringify(violationContexts)).toContain(JSON.stringify(pending));
  const [granted = '', ended = ''] = (settled ?? '').trim().split('\n');
  expect([JSON.parse(granted).id, JSON.parse(ended).state]).toEqual(['i-0085', 'SETTLED']);
  expect(JSON.parse(listed ?? '')).toMatchObject([{ id, state: 'SETTLED' }]);
  expect(commanded).toMatch(/^reference +REQ-3$/m);
  expect(commanded).toMatch(/ LIVE +i-0085 +crm-opportunity-edit +REQ-3 /);
});
