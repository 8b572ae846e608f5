import { expect, test } from 'vitest';
import { findLines, SOURCES } from './repository.ts';

/** Adapters to the platform beside main.ts: salts, nonces, keys, ids, the time of log lines, defaults of the client, time limits. */
const ADAPTERS: readonly string[] = [
  'apps/api/src/telemetry/open-log.ts',
  'apps/api/src/auth/client-secrets/secrets.ts',
  'apps/api/src/process/system.ts',
  'apps/worker/src/webhooks/open-delivery.ts',
  'apps/console/src/service/clock.ts',
  'apps/console/src/service/random.ts',
  'packages/client/src/http/runtime.ts',
  'packages/store/src/engine/concurrency/pauses.ts',
  'packages/store/src/engine/concurrency/stopwatch.ts',
  'packages/store/src/engine/sqlite/database.ts',
  'packages/store/src/engine/postgres/database.ts',
  'packages/store/src/engine/postgres/transaction.ts',
  'packages/store/src/engine/postgres/write.ts',
  'packages/store/src/engine/retry.ts',
  'packages/store/src/access/sources/new-id.ts',
  'packages/store/src/governance/violations/register/new-id.ts',
  'packages/store/src/engine/event-id.ts',
  'packages/store/src/assembly/open-secrets.ts',
  'packages/store/src/record/secrets/cipher.ts',
  'packages/store/src/record/secrets/key-file.ts',
  'packages/store/src/engine/postgres/keeps-sessions.ts',
  'packages/store/src/record/secrets/open-cipher.ts',
  'apps/worker/src/webhooks/open-delivery.ts',
  'apps/worker/src/webhooks/send.ts',
  'packages/store/src/policies/rulebook/change-log.ts',
];

const inner = SOURCES.filter((path) => !path.endsWith('/main.ts'));
const domain = SOURCES.filter((path) => path.startsWith('packages/domain/'));

test('only main.ts reads the environment', () => {
  expect(findLines(inner, /process\.env\b/)).toEqual([]);
});

test('only main.ts and adapters read the platform clock and randomness', () => {
  const ambient =
    /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bperformance\.now\b|\bgetRandomValues\b/;
  expect(
    findLines(
      inner.filter((path) => !ADAPTERS.includes(path)),
      ambient,
    ),
  ).toEqual([]);
});

test('the domain uses no clock, randomness, timer, network or output', () => {
  const ambient =
    /\b(Date\.now|new Date\(\)|Math\.random|randomUUID|setTimeout|setInterval|fetch\(|console\.|process\.)/;
  expect(findLines(domain, ambient)).toEqual([]);
});

test('every listed adapter exists', () => {
  expect(ADAPTERS.filter((path) => !SOURCES.includes(path))).toEqual([]);
});
