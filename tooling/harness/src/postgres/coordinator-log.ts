import { withClient } from './create-database.ts';

/** Where the log of a coordinator ends, by the sizes of its files. */
export type LogEnd = Readonly<Record<string, number>>;

/** A transaction that a program has sent to the coordinator, or a statement that is one by itself. */
export interface LoggedTransaction {
  readonly database: string;
  /** The name that the program gave to its session. */
  readonly application: string;
  /** What was sent between its begin and its end. */
  readonly statements: readonly string[];
  /** Those of its statements that Citus has split into tasks for several shards; outside of a transaction there is nothing else. */
  readonly ofSeveralShards: readonly string[];
  /** Whether nodes were told to prepare its commit. */
  readonly isPrepared: boolean;
  /** Whether the coordinator had assigned a number to it when it was told to commit it. */
  readonly isNumbered: boolean;
}

/** What the log tells of the sessions of a database; the coordinator needs `logging_collector` and `log_destination = 'jsonlog'`. */
export const LOG_SETTINGS: Readonly<Record<string, string>> = {
  log_statement: 'all',
  log_parameter_max_length: '0',
  log_min_messages: 'notice',
  'citus.log_remote_commands': 'on',
  'citus.grep_remote_commands': '%PREPARE TRANSACTION%',
  'citus.multi_task_query_log_level': 'log',
};

/** Whether a coordinator writes a log that can be read, and where it ends; null where it does not. */
export const endOfLog = (coordinatorUrl: string): Promise<LogEnd | null> =>
  withClient(coordinatorUrl, async (client) => {
    const { rows: settings } = await client.query<{ has_log: boolean }>(
      `select current_setting('logging_collector') = 'on' and current_setting('log_destination') ~ 'jsonlog' as has_log`,
    );
    return settings[0]?.has_log ? sizesOf(client) : null;
  });

/** The transactions that have begun since, in any database, each when the log has told of all of it. */
export async function* readLog(coordinatorUrl: string, since: LogEnd): AsyncGenerator<LoggedTransaction> {
  const sessions = new Map<string, OpenTransaction>();
  for await (const entry of readEntries(coordinatorUrl, since)) {
    const { session_id: session, message, txid } = entry;
    const current = sessions.get(session);
    const statement = STATEMENT.exec(message)?.[1]?.trim();
    if (statement === undefined) {
      if (current !== undefined && message.includes('PREPARE TRANSACTION')) current.isPrepared = true;
      if (!message.startsWith('multi-task query') || entry.statement === undefined) continue;
      // It may be logged before its statement is.
      if (current?.isOpen) current.ofSeveralShards.push(entry.statement);
      else yield { ...ofEntry(entry), ofSeveralShards: [entry.statement] };
    } else if (current === undefined || !current.isOpen) {
      if (current !== undefined) yield current;
      const isOpen = /^(begin|start transaction)\b/i.test(statement);
      sessions.set(session, { ...ofEntry(entry), statements: isOpen ? [] : [statement], isOpen });
    } else {
      if (/^(commit|rollback(?! to)|end)\b/i.test(statement)) {
        current.isOpen = false;
        current.isNumbered = txid !== undefined && Number(txid) !== 0 && !/^rollback/i.test(statement);
      } else current.statements.push(statement);
    }
  }
  yield* sessions.values();
}

interface OpenTransaction extends LoggedTransaction {
  readonly statements: string[];
  readonly ofSeveralShards: string[];
  isPrepared: boolean;
  isNumbered: boolean;
  isOpen: boolean;
}

const ofEntry = ({ dbname, application_name }: Entry) => ({
  database: dbname,
  application: application_name,
  statements: [],
  ofSeveralShards: [],
  isPrepared: false,
  isNumbered: false,
});

const STATEMENT = /^(?:statement|execute [^:]*): ([\s\S]*)$/;

interface Entry {
  readonly session_id: string;
  readonly dbname: string;
  readonly application_name: string;
  readonly message: string;
  /** Of messages about one. */
  readonly statement?: string;
  readonly txid?: number;
}

const BYTES_AT_ONCE = 4_194_304;

async function* readEntries(coordinatorUrl: string, since: LogEnd): AsyncGenerator<Entry> {
  const files = await withClient(coordinatorUrl, sizesOf);
  for (const [name, size] of Object.entries(files)) {
    let rest = Buffer.alloc(0);
    for (let from = since[name] ?? 0; from < size; from += BYTES_AT_ONCE) {
      const bytes = Math.min(BYTES_AT_ONCE, size - from);
      const piece = await withClient(coordinatorUrl, async (client) => {
        const { rows } = await client.query<{ piece: Buffer }>(
          `select pg_read_binary_file(current_setting('log_directory') || '/' || $1, $2, $3) as piece`,
          [name, from, bytes],
        );
        return rows[0]?.piece ?? Buffer.alloc(0);
      });
      const read = Buffer.concat([rest, piece]);
      const end = read.lastIndexOf('\n') + 1;
      rest = read.subarray(end);
      for (const line of read.toString('utf8', 0, end).split('\n'))
        if (line.includes('"session_id"')) yield JSON.parse(line);
    }
  }
}

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

/** The files of the log in the order of their names, which is that of time. */
async function sizesOf(client: Client): Promise<LogEnd> {
  const { rows } = await client.query<{ name: string; size: string }>(
    `select name, size from pg_ls_logdir() where name like '%.json' order by name`,
  );
  return Object.fromEntries(rows.map(({ name, size }) => [name, Number(size)]));
}
