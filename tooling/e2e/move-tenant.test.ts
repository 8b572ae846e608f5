import { readFileSync } from 'node:fs';
import type { AccessAdminClient, AccessModelRecord } from '@access-admin/client';
import { createTestDatabase, openService } from '@access-admin/harness';
import { expect, test } from 'vitest';

const SAMPLE = readFileSync(new URL('../sample/sample.ndjson', import.meta.url), 'utf8');
const REFS_AT_ONCE = 6;

test('a tenant moves from SQLite to PostgreSQL and back: exports and predictions are the same bytes', async () => {
  await using left = openService();
  const { client: before } = await left.startApi();
  await before.accessModel.import(SAMPLE);
  const model = await exportText(before);
  const predictions = await predictAll(before, model);
  // The comparison is meaningful only if it includes violations of both kinds.
  for (const kind of ['"preexisting":true', '"preexisting":false']) expect(predictions.join()).toContain(kind);

  const database = await createTestDatabase();
  await using stack = new AsyncDisposableStack();
  stack.defer(database.remove);
  const middle = stack.use(openService());
  const { client: moved } = await middle.startApi({ DATABASE_URL: database.url });
  await moved.accessModel.import(model);
  expect(await exportText(moved)).toBe(model);
  expect(await predictAll(moved, model)).toEqual(predictions);

  await using right = openService();
  const { client: back } = await right.startApi();
  await back.accessModel.import(await exportText(moved));
  expect(await exportText(back)).toBe(model);
  expect(await predictAll(back, model)).toEqual(predictions);
});

async function exportText(client: AccessAdminClient): Promise<string> {
  const records = await Array.fromAsync(client.accessModel.export());
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** The predictions for every identity with a few more refs of each kind, as text in a fixed order. */
async function predictAll(client: AccessAdminClient, model: string): Promise<readonly string[]> {
  const records = model
    .trimEnd()
    .split('\n')
    .map((line): AccessModelRecord => JSON.parse(line));
  const idsOf = (kind: AccessModelRecord['kind']) => records.flatMap((each) => (each.kind === kind ? [each.id] : []));
  const kinds = [
    { type: 'ROLE' as const, ids: idsOf('role') },
    { type: 'ACCESS_PROFILE' as const, ids: idsOf('accessProfile') },
    { type: 'ENTITLEMENT' as const, ids: idsOf('entitlement') },
  ];
  const answers: string[] = [];
  for (const [at, identityId] of idsOf('identity').entries()) {
    for (const { type, ids } of kinds) {
      const accessRefs = Array.from({ length: REFS_AT_ONCE }, (_, step) => ({
        type,
        id: ids[(at * 7 + step * 5) % ids.length] ?? '',
      }));
      const { violationContexts } = await client.sodViolations.predict({ identityId, accessRefs });
      answers.push(JSON.stringify(violationContexts));
    }
  }
  return answers;
}
