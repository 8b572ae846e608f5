import { becomesReady, freePort, openFolder, openUnreadPipe, startAppFromSources } from '@access-admin/harness';
import { expect, onTestFinished, test } from 'vitest';

const CLIENT = { BOOTSTRAP_CLIENT_ID: 'root', BOOTSTRAP_CLIENT_SECRET: 'a secret of the test' };
/** Their lines, and the decisions alone, are more than a pipe holds. */
const REQUEST_COUNT = 1_000;
const PREDICTION_COUNT = 300;

test('a pipe that nobody reads holds up no request, and no line is lost', async () => {
  const folder = openFolder('run');
  const pipe = openUnreadPipe();
  const port = await freePort();
  const running = startAppFromSources('api', {
    cwd: folder.path,
    env: { ...CLIENT, PORT: String(port), RATE_LIMIT: 'off', DECISION_LOG: 'stdout' },
    stdoutPath: pipe.path,
  });
  onTestFinished(async () => {
    await running[Symbol.asyncDispose]();
    pipe[Symbol.dispose]();
    folder[Symbol.dispose]();
  });
  const baseAddress = `http://127.0.0.1:${port}`;
  await becomesReady(baseAddress, running);
  const granted = await fetch(`${baseAddress}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: CLIENT.BOOTSTRAP_CLIENT_ID,
      client_secret: CLIENT.BOOTSTRAP_CLIENT_SECRET,
    }),
  });
  const headers = {
    authorization: `Bearer ${/"access_token":"([^"]+)"/.exec(await granted.text())?.[1]}`,
    'content-type': 'application/json',
    'x-sailpoint-experimental': 'true',
  };
  const imported = await fetch(`${baseAddress}/access-model/v1/import`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body: [
      { kind: 'entitlement', id: 'e-1', name: 'Pay', source: 'ERP' },
      { kind: 'identityProfile', id: 'ip', name: 'Employees' },
      { kind: 'identity', id: 'i-1', uid: 'kim', displayName: 'Kim', identityProfile: 'ip', access: [] },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  });
  expect(imported.status).toBe(200);
  const body = JSON.stringify({ identityId: 'i-1', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-1' }] });
  for (let count = 0; count < PREDICTION_COUNT; count++) {
    const predicted = await fetch(`${baseAddress}/sod-violations/v1/predict`, { method: 'POST', headers, body });
    expect([predicted.status, await predicted.text()]).toEqual([200, expect.any(String)]);
  }
  for (let count = 0; count < REQUEST_COUNT; count++) expect((await fetch(`${baseAddress}/healthz`)).status).toBe(200);
  const metrics = await (await fetch(`${baseAddress}/metrics`)).text();
  expect(metrics).toContain('\naccess_admin_log_lines_lost_total 0\n');

  const countIn = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const text = await pipe.readUntil((read) => countIn(read, /"operation":"get-metrics".*\}\n/g) > 0);
  expect(countIn(text, /^\{"decision":"prediction",.*\}$/gm)).toBe(PREDICTION_COUNT);
  expect(countIn(text, /"operation":"get-health"/g)).toBe(REQUEST_COUNT);
  expect((await running.stop()).code).toBe(0);
});
