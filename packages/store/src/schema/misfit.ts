/** `0007-contract-0005-…` removes what versions without the migration `0005-…` need. */
const CONTRACTION = /^\d{4}-contract-(\d{4})(?:-|$)/;

/** What a database tells of its schema. */
export interface FoundSchema {
  /** The migrations that it has run; none in an empty one. */
  readonly migrations: readonly string[];
  /** Whether it has tables of the service. */
  readonly hasTables: boolean;
}

/**
 * Why a version with these migrations can neither work on a database that has run others nor migrate it; null if it can.
 * Migrations that it does not know only add to the schema, except contractions, whose names tell which versions they leave behind.
 */
export function findMisfit(known: readonly string[], { migrations: run, hasTables }: FoundSchema): string | null {
  if (run.length === 0 && hasTables)
    return 'it has tables, but kysely_migration, where migrations are listed, is empty: restore a backup';
  const unknown = run.filter((name) => !known.includes(name));
  const missing = known.filter((name) => !run.includes(name));
  if (unknown.length > 0 && missing.length > 0) return `it has ${unknown.join(', ')} and lacks ${missing.join(', ')}`;
  const removing = unknown.filter((name) => {
    const expansion = CONTRACTION.exec(name)?.[1];
    return expansion !== undefined && !known.some((each) => each.startsWith(`${expansion}-`));
  });
  return removing.length > 0
    ? `it is of a later version: ${removing.join(', ')} removed what this version needs`
    : null;
}
