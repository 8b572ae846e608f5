import type { PostgresPool } from 'kysely';
import type pg from 'pg';

// Parsing and planning an insert of a hundred rows takes up to a third of its time.
const LENGTH_MIN = 1_000;
// The server keeps a prepared statement as long as the connection.
const PREPARED_MAX = 20;

/** The pool, with connections that prepare a statement of this length or more when it is sent again. */
export function prepareRepeated(pool: pg.Pool, { lengthMin = LENGTH_MIN } = {}): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, pg.PoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      const preparing = clients.get(client) ?? createPreparingClient(client, lengthMin);
      clients.set(client, preparing);
      return preparing;
    },
  };
}

function createPreparingClient(client: pg.PoolClient, lengthMin: number): pg.PoolClient {
  const nameOf = createStatementNames(lengthMin);
  const query = (text: string, values: unknown[]) => {
    const name = nameOf(text);
    return name === null ? client.query(text, values) : client.query({ name, text, values });
  };
  return new Proxy(client, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key)) });
}

/** Names a long text from its second time on; null for others. */
export function createStatementNames(lengthMin = LENGTH_MIN): (text: string) => string | null {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return (text) => {
    if (text.length < lengthMin) return null;
    const known = names.get(text);
    if (known !== undefined) return known;
    if (!seen.has(text)) {
      if (seen.size >= PREPARED_MAX) seen.clear();
      seen.add(text);
      return null;
    }
    if (names.size >= PREPARED_MAX) return null;
    const name = `repeated ${names.size}`;
    names.set(text, name);
    return name;
  };
}
