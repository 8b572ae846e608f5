import { expect, test } from 'vitest';
import { claimSoon } from './claim-soon.ts';
import { NOW } from './model-records.ts';
import { openRaw } from './raw-database.ts';
import { ENGINE, openDatabase } from './store-engine.ts';

const NOW_MS = Date.parse(NOW);

test(`a mail of a kind that a later version has added waits for a worker of that version, on ${ENGINE.name}`, async () => {
  await using database = await openDatabase(ENGINE);
  await using raw = await openRaw(database);
  const mailOf = (kind: string) => ({
    tenant: 'acme',
    id: `of-${kind}`,
    kind,
    recipient_id: 'i-1',
    data: '{}',
    created: NOW,
    due_ms: NOW_MS,
    expires_ms: NOW_MS + 60_000,
    failures: 0,
    is_of_period: 0,
    fence: 0,
    claimable_at_ms: 0,
  });
  await raw.insert('mail', [mailOf('of-tomorrow'), mailOf('factor-added')]);
  const claim = () => database.store.mails.claim({ nowMs: NOW_MS, leaseMs: 1_000, limit: 10 });
  expect((await claimSoon(claim)).map(({ kind }) => kind)).toEqual(['factor-added']);
  expect(await claim()).toEqual([]);
  expect((await raw.rows('mail')).map(({ kind }) => kind).toSorted()).toEqual(['factor-added', 'of-tomorrow']);
});
