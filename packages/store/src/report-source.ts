import type { SodPolicy } from '@access-admin/domain';
import { createBreather } from './breather.ts';
import { rowToRole } from './catalogue-codec.ts';
import type { Database, Snapshot } from './database.ts';
import { readMatches, readPages } from './model-rows.ts';
import { readRulebookVersion } from './rulebook-log.ts';
import { rowToSodPolicy } from './sod-policy-codec.ts';
import type { RulebookVersion } from './store.ts';

/** An identity as reports look at it. `access` is to be read with `eachAssignment`. */
export interface ReportIdentity {
  readonly id: string;
  readonly displayName: string | null;
  readonly access: string;
}

/** The data of a tenant as of one moment. */
export interface ReportSource extends AsyncDisposable {
  readonly version: RulebookVersion;
  countIdentities(): Promise<number>;
  /** Those of the policies that there are, in no order. A few at a time: each can have some KB. */
  readPolicies(ids: readonly string[]): Promise<readonly SodPolicy[]>;
  /** The roles that have this access profile. */
  rolesWith(accessProfileId: string): Promise<ReadonlySet<string>>;
  /** All identities in order of their ids, in pages that take about the same time. */
  identities(): AsyncIterable<readonly ReportIdentity[]>;
}

export async function openReportSource(database: Database, tenant: string): Promise<ReportSource> {
  const snapshot = await database.openSnapshot('load');
  try {
    const version = await snapshot.read((db) => readRulebookVersion(db, tenant));
    return {
      version,
      countIdentities: async () => {
        const { count } = await snapshot.read((db) =>
          db
            .selectFrom('identity')
            .select((eb) => eb.fn.countAll<number>().as('count'))
            .where('tenant', '=', tenant)
            .executeTakeFirstOrThrow(),
        );
        return count;
      },
      readPolicies: async (ids) => {
        const found: SodPolicy[] = [];
        await snapshot.read(async (db) => {
          found.length = 0;
          for await (const rows of readMatches(db, { table: 'sod_policy', tenant }, new Set(ids)))
            found.push(...rows.map(rowToSodPolicy));
        });
        return found;
      },
      rolesWith: async (accessProfileId) => {
        const breathe = createBreather();
        const roles = new Set<string>();
        for await (const rows of readPages(snapshot, 'role', tenant)) {
          for (const row of rows) if (rowToRole(row).accessProfiles.includes(accessProfileId)) roles.add(row.id);
          await breathe();
        }
        return roles;
      },
      identities: () => readIdentities(snapshot, tenant),
      [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
    };
  } catch (error) {
    await snapshot[Symbol.asyncDispose]();
    throw error;
  }
}

// A page of so many characters is read and judged in some milliseconds.
const PAGE_LENGTH = 256 * 1024;
const PAGE_ROWS_FIRST = 50;
const PAGE_ROWS_MAX = 250;
// Of an identity without assignments.
const ROW_LENGTH = 100;

async function* readIdentities({ read }: Snapshot, tenant: string): AsyncGenerator<readonly ReportIdentity[]> {
  let rowsMax = PAGE_ROWS_FIRST;
  for (let after = ''; ; ) {
    const rows = await read((db) =>
      db
        .selectFrom('identity')
        .select(['id', 'display_name as displayName', 'access'])
        .where('tenant', '=', tenant)
        .where('id', '>', after)
        .orderBy('id')
        .limit(rowsMax)
        .execute(),
    );
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsMax) return;
    after = last.id;
    const length = rows.reduce((sum, { access }) => sum + access.length + ROW_LENGTH, 0);
    rowsMax = Math.max(1, Math.min(PAGE_ROWS_MAX, Math.floor((PAGE_LENGTH * rows.length) / length)));
  }
}
