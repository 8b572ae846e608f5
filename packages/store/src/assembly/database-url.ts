/** What a `DATABASE_URL` may be, in words. */
export const DATABASE_URL_RULE = 'sqlite:<path> of a file or postgres://… with reserved characters percent-encoded';

/** Where a store is. A file, because several processes share it. */
export type Place = { readonly sqlitePath: string } | { readonly postgresUrl: string };

/** Reads a `DATABASE_URL`; null when it is not as `DATABASE_URL_RULE` says. */
export function parseDatabaseUrl(text: string): Place | null {
  const sqlitePath = /^sqlite:(?!:memory:$)(.+)$/.exec(text)?.[1];
  if (sqlitePath !== undefined) return { sqlitePath };
  return isPostgresAddress(text) ? { postgresUrl: text } : null;
}

/** Of a password with a reserved character the driver would take a part for a host or a port, and name it when it fails. */
const isPostgresAddress = (text: string): boolean =>
  // The driver takes an address without a host too.
  /^postgres(ql)?:\/\/./.test(text) && URL.parse(text.replace('@/', '@localhost/'))?.hash === '';
