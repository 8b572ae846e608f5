/** The accepted forms of a `DATABASE_URL`, for messages. */
export const DATABASE_URL_RULE = 'sqlite:<path> of a file or postgres://… with reserved characters percent-encoded';

/** The location of a store. In SQLite it is a file, because several processes share it. */
export type DatabaseAddress = { readonly sqlitePath: string } | { readonly postgresUrl: string };

/** Parses a `DATABASE_URL`; null when it does not follow `DATABASE_URL_RULE`. */
export function parseDatabaseUrl(text: string): DatabaseAddress | null {
  const sqlitePath = /^sqlite:(?!:memory:$)(.+)$/.exec(text)?.[1];
  if (sqlitePath !== undefined) return { sqlitePath };
  return isPostgresAddress(text) ? { postgresUrl: text } : null;
}

/** Rejects unencoded reserved characters: the driver would take part of a password for a host or port and print it in errors. */
const isPostgresAddress = (text: string): boolean =>
  // The driver also accepts an address without a host.
  /^postgres(ql)?:\/\/./.test(text) && URL.parse(text.replace('@/', '@localhost/'))?.hash === '';
