import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@access-admin/store';
import { findCorruption, openSqlite } from '../service/open-database.ts';
import { type Acknowledgement, LATEST, TENANT } from './acknowledgement.ts';

/** Writes an image to disk and starts from it, as the service does after a power cut. Resolves with the failures. */
export async function verifyImage(
  folder: string,
  files: ReadonlyMap<string, Buffer>,
  acknowledgements: readonly Acknowledgement[],
): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const path = join(folder, 'access-admin.db');
  const last = acknowledgements
    .flatMap((each) => ('stored' in each && each.stored === 'checks' ? each.ids : []))
    .at(-1);
  try {
    const store = await openStore(`sqlite:${path}`);
    const isServed = last === undefined || (await store.checks.find(TENANT, last)) !== null;
    await store.close();
    return [...(isServed ? [] : ['lost: the last check is not served']), ...(await verifyRows(path, acknowledgements))];
  } catch (error) {
    return [`does not open: ${error}`];
  }
}

async function verifyRows(path: string, acknowledgements: readonly Acknowledgement[]): Promise<readonly string[]> {
  await using sql = await openSqlite(path);
  const stored = {
    checks: new Set(await sql.texts('select request_id from sod_check')),
    completed: new Set(await sql.texts(`select request_id from sod_check where state = 'SUCCESS'`)),
    identities: new Set(await sql.texts('select id from identity')),
  };
  const reached = {
    label: Number((await sql.texts('select username_label from tenant where username_label is not null'))[0] ?? 0),
    latest: Number((await sql.texts(`select name from entitlement where id = '${LATEST}'`))[0] ?? 0),
  };
  const isKept = (each: Acknowledgement) =>
    'ids' in each ? each.ids.every((id) => stored[each.stored].has(id)) : reached[each.reached] >= each.number;
  return [
    ...(await findCorruption(sql)).map((fault) => `corrupt: ${fault}`),
    ...acknowledgements.filter((each) => !isKept(each)).map((each) => `lost: ${JSON.stringify(each)}`),
  ];
}
