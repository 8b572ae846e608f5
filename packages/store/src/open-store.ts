import { openPostgresStore } from './open-postgres.ts';
import { openSqliteStore } from './open-sqlite.ts';
import type { Store } from './store.ts';

/** Opens the store that a `DATABASE_URL` names: `sqlite:<path>` or `postgres://…`. */
export async function openStore(databaseUrl: string): Promise<Store> {
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) return openPostgresStore({ url: databaseUrl });
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : '';
  if (path === '' || path === ':memory:')
    throw new Error('The database URL must be sqlite:<path of a file> or postgres://….');
  return openSqliteStore({ path });
}
