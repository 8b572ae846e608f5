import { openSqliteStore } from './open-sqlite.ts';
import type { Store } from './store.ts';

/** Opens the store that a `DATABASE_URL` names: `sqlite:<path>`. */
export async function openStore(databaseUrl: string): Promise<Store> {
  if (/^postgres(ql)?:/.test(databaseUrl)) throw new Error('PostgreSQL is not supported yet: use sqlite:<path>.');
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : '';
  if (path === '' || path === ':memory:') throw new Error('The database URL must be sqlite:<path of a file>.');
  return openSqliteStore({ path });
}
