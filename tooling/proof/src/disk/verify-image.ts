import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@access-admin/store';
import Sqlite from 'better-sqlite3';
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
  try {
    const store = await openStore(`sqlite:${path}`);
    const last = acknowledgements.findLast(({ type }) => type === 'check');
    const found = last?.type === 'check' ? await store.checks.find(TENANT, last.requestId) : null;
    await store.close();
    const unserved = last !== undefined && found === null ? ['lost: the last check is not served'] : [];
    return [...unserved, ...verifyRows(path, acknowledgements)];
  } catch (error) {
    return [`does not open: ${error}`];
  }
}

function verifyRows(path: string, acknowledgements: readonly Acknowledgement[]): readonly string[] {
  const connection = new Sqlite(path, { readonly: true });
  try {
    const strings = (sql: string) => new Set(connection.prepare<[], string>(sql).pluck().all());
    const faults = strings('pragma integrity_check');
    faults.delete('ok');
    const dangling = connection.prepare('pragma foreign_key_check').all().length;
    const stored = {
      checks: strings('select request_id from sod_check'),
      completed: strings(`select request_id from sod_check where state = 'SUCCESS'`),
      identities: strings('select id from identity'),
      label: Number([...strings('select username_label from tenant where username_label is not null')][0] ?? 0),
      latest: Number([...strings(`select name from entitlement where id = '${LATEST}'`)][0] ?? 0),
    };
    const lost = acknowledgements.filter((each) => !isStored(each, stored));
    return [
      ...[...faults].map((fault) => `corrupt: ${fault}`),
      ...(dangling > 0 ? [`corrupt: ${dangling} dangling references`] : []),
      ...lost.map((each) => `lost: ${JSON.stringify(each)}`),
    ];
  } finally {
    connection.close();
  }
}

interface Stored {
  readonly checks: ReadonlySet<string>;
  readonly completed: ReadonlySet<string>;
  readonly identities: ReadonlySet<string>;
  readonly label: number;
  readonly latest: number;
}

function isStored(
  acknowledgements: Acknowledgement,
  { checks, completed, identities, label, latest }: Stored,
): boolean {
  switch (acknowledgements.type) {
    case 'check':
      return checks.has(acknowledgements.requestId);
    case 'completed':
      return completed.has(acknowledgements.requestId);
    case 'label':
      return label >= acknowledgements.number;
    case 'import': {
      const ids = Array.from(
        { length: acknowledgements.identities },
        (_, place) => `i-${acknowledgements.number}-${place}`,
      );
      return latest >= acknowledgements.number && ids.every((id) => identities.has(id));
    }
  }
}
