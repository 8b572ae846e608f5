import { randomUUID } from 'node:crypto';
import { type PostgresConnections, processIdOf } from './pool.ts';

const HEARD_MS_MAX = 5_000;

/** What to do about a pooler that lends connections to others between two transactions. */
export const SESSIONS_NEEDED =
  'DATABASE_URL leads to a pooler in transaction mode, in which notifications and settings of a session are lost: set pool_mode = session there, or name the PostgreSQL server itself.';

/**
 * Whether a connection keeps its session between two statements: not with a pooler in transaction or statement mode. A server
 * tells the number of its process when it connects; a pooler tells one of its own, and is then tried with a notification, which
 * only reaches the session that listens.
 */
export async function keepsSessions({ openBare }: Pick<PostgresConnections, 'openBare'>): Promise<boolean> {
  const listener = openBare();
  const teller = openBare();
  try {
    await listener.connect();
    const { rows } = await listener.query<{ pid: number }>('select pg_backend_pid() as pid');
    if (rows[0]?.pid === processIdOf(listener)) return true;
    const channel = `access_admin_${randomUUID().replaceAll('-', '')}`;
    let timer: NodeJS.Timeout | undefined;
    const heard = new Promise<boolean>((resolve) => {
      listener.once('notification', () => resolve(true));
      timer = setTimeout(() => resolve(false), HEARD_MS_MAX);
    });
    await listener.query(`listen ${channel}`);
    await teller.connect();
    await teller.query(`notify ${channel}`);
    // Another statement of the listener could reach the session that listens by chance.
    return await heard.finally(() => clearTimeout(timer));
  } finally {
    await Promise.allSettled([listener.end(), teller.end()]);
  }
}
