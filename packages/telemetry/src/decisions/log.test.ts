import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { type Decision, openDecisionLog } from './log.ts';

const decisionOf = (identityId: string): Decision => ({
  kind: 'prediction',
  tenant: 'acme',
  clientId: 'c-1',
  request: { identityId, accessRefs: [], clientMetadata: null },
  violatedPolicies: [],
  basis: null,
  trackingId: null,
});

const identitiesIn = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).identityId);

test('after its rotation, the file is opened anew, and no line is lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'decisions.ndjson');
  let reopen = () => {};
  const opened = await openDecisionLog(
    { kind: 'file', path },
    {
      registry: new Registry(),
      stdout: { write: () => true },
      log: { info: () => {}, error: () => {} },
      now: () => new Date(0),
      onReopen: (listener) => {
        reopen = listener;
      },
    },
  );
  if (!opened.ok || opened.value === null) throw new Error('not opened');
  const log = opened.value;
  log.write(decisionOf('before'));
  await expect.poll(() => identitiesIn(path)).toEqual(['before']);
  renameSync(path, `${path}.1`);
  reopen();
  log.write(decisionOf('after'));
  await log[Symbol.asyncDispose]();
  expect([identitiesIn(`${path}.1`), identitiesIn(path)]).toEqual([['before'], ['after']]);
});
