import type { PostgresPool } from 'kysely';
import type pg from 'pg';
import { isPlanOutdated } from './errors.ts';

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
  const names = createStatementNames(lengthMin);
  const query = async (text: string, values: unknown[]) => {
    const name = names.nameOf(text);
    if (name === null) return client.query(text, values);
    try {
      return await client.query({ name, text, values });
    } catch (error) {
      // The statement is not repeated here: its failure aborts a transaction, which callers repeat as a whole.
      if (isPlanOutdated(error)) names.forget(text);
      throw error;
    }
  };
  return new Proxy(client, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key)) });
}

export interface StatementNames {
  /** Names a long text from its second time on; null for others. */
  nameOf(text: string): string | null;
  /** Lets the text have a new name. */
  forget(text: string): void;
}

export function createStatementNames(lengthMin = LENGTH_MIN): StatementNames {
  let namedCount = 0;
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return {
    nameOf: (text) => {
      if (text.length < lengthMin) return null;
      const known = names.get(text);
      if (known !== undefined) return known;
      if (!seen.has(text)) {
        if (seen.size >= PREPARED_MAX) seen.clear();
        seen.add(text);
        return null;
      }
      if (names.size >= PREPARED_MAX) return null;
      const name = `repeated ${namedCount++}`;
      names.set(text, name);
      return name;
    },
    forget: (text) => void names.delete(text),
  };
}
