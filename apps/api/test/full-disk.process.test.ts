import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSmallDisk, whyNoSmallDisk } from '@access-admin/harness';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runApi } from './run-api.ts';

const whyNone = whyNoSmallDisk();
if (whyNone !== null) process.stderr.write(`full-disk.process.test.ts: no full disk is tried, ${whyNone}\n`);

describe.runIf(whyNone === null)('a full disk', () => {
  test('is named in answers, in the log and in the metrics, while reads go on, and is over when there is room', async () => {
    const small = openSmallDisk(24 * 1024);
    onTestFinished(() => small[Symbol.dispose]());
    const { path: disk } = small;
    const client = { BOOTSTRAP_CLIENT_ID: 'root', BOOTSTRAP_CLIENT_SECRET: 'a secret of the test' };
    const { baseAddress, stop } = await runApi({
      ...client,
      DATABASE_URL: `sqlite:${join(disk, 'data.db')}`,
      SECRET_KEY: 'k'.repeat(32),
    });
    const granted = await fetch(`${baseAddress}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.BOOTSTRAP_CLIENT_ID,
        client_secret: client.BOOTSTRAP_CLIENT_SECRET,
      }),
    });
    const token = /"access_token":"([^"]+)"/.exec(await granted.text())?.[1];
    const importSome = (count: number) =>
      fetch(`${baseAddress}/access-model/v1/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
        body: Array.from({ length: count }, (_, at) =>
          JSON.stringify({ kind: 'entitlement', id: `e-${at}`, name: `Entitlement ${at}`, source: 'ERP' }),
        ).join('\n'),
      });
    const filler = join(disk, 'filler');
    await writeFile(filler, Buffer.alloc(64 * 2 ** 20)).catch(() => {});
    const refused = await importSome(5_000);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.text()).toContain('The disk of the storage is full, and nothing was stored');
    const metrics = await (await fetch(`${baseAddress}/metrics`)).text();
    expect(metrics).toMatch(/^access_admin_storage_failures_total\{reason="full"\} [1-9]/m);
    expect(metrics).toMatch(/^access_admin_disk_free_bytes \d{1,6}$/m);
    expect((await fetch(`${baseAddress}/readyz`)).status).toBe(200);
    await rm(filler);
    expect((await importSome(5)).status).toBe(200);
    const { code, output } = await stop();
    expect(code).toBe(0);
    expect(output).toContain('"reason":"The disk of the storage is full.","msg":"StorageFull"');
  });
});
