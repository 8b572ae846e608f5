import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type SelectModifierNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { SqliteConnection, SqliteMode } from './connection.ts';
import { Runs } from './runs.ts';

const STATEMENTS_MAX = 200;

/** Kysely on one open connection. The caller closes it. */
export function createSqliteDialect(connection: SqliteConnection, mode: SqliteMode): Dialect {
  return {
    createAdapter: () => (mode === 'readWrite' ? new TransactionalDdlAdapter() : new QueryOnlyAdapter()),
    createDriver: () => new ImmediateSqliteDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new OneWriterCompiler(),
  };
}

// SQLite has transactional DDL. Kysely assumes the contrary and would migrate without a lock.
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

// Each statement runs to its end without a pause, so statements need not wait for the connection.
class QueryOnlyAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

const LOCKS: readonly SelectModifierNode['modifier'][] = [
  'ForUpdate',
  'ForNoKeyUpdate',
  'ForShare',
  'ForKeyShare',
  'NoWait',
  'SkipLocked',
];

class OneWriterCompiler extends SqliteQueryCompiler {
  // A file has one writer: locks of rows, such as `for update`, are left out.
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === undefined || !LOCKS.includes(node.modifier)) super.visitSelectModifier(node);
  }

  // SQLite plans a statement again at each execution if the value of a bare parameter could matter to its plan, and most of ours
  // cost less than their plan. The value of an expression does not matter.
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    super({ database: withStatementCache(connection) });
    this.#connection = connection;
  }

  // A plain `begin` that reads first and writes later fails at once when another process has written in between.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  // On a full disk SQLite rolls back by itself. A second rollback would hide the first error.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }
}

function withStatementCache(connection: SqliteConnection): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: STATEMENTS_MAX });
  return {
    close: () => {},
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = withRuns(connection.prepare(sql));
      statements.set(sql, statement);
      return statement;
    },
  };
}

const withRuns = (statement: SqliteStatement): SqliteStatement =>
  statement.reader
    ? statement
    : {
        reader: false,
        all: (parameters) => statement.all(parameters),
        iterate: (parameters) => statement.iterate(parameters),
        run: (parameters) => {
          const [runs] = parameters;
          return runs instanceof Runs ? runs.run(statement) : statement.run(parameters);
        },
      };
