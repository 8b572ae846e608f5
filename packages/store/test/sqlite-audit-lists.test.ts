import { ok } from '@access-admin/domain';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openSqliteConnection } from '../src/engine/sqlite/connection.ts';
import { type AuditCondition, openStore, type Store } from '../src/index.ts';
import { allOf } from './all-of.ts';
import { actIn } from './model-records.ts';
import { newSqliteFile } from './sqlite-file.ts';

const PAGE = { limit: 251, offset: 0 };

describe('a list of events on SQLite', () => {
  afterEach(() => void vi.restoreAllMocks());

  const equal = (field: 'actor' | 'operation' | 'resourceType' | 'resourceId' | 'outcome') =>
    ({ field, operator: 'eq', values: ['x'] }) as const;
  const since = { field: 'time', operator: 'ge', values: ['2026-03-01T12:00:00.000Z'] } as const;

  /** The steps of the query plans of SQLite for all lists of the store. */
  async function plansOf(use: (store: Store) => Promise<unknown>): Promise<readonly string[]> {
    await using file = await newSqliteFile();
    await using store = await openStore(`sqlite:${file.path}`);
    const spy = vi.spyOn(Sqlite.prototype, 'prepare');
    await use(store);
    const statements = spy.mock.calls.map(([sql]) => String(sql)).filter((sql) => sql.includes('audit_event'));
    spy.mockRestore();
    const connection = openSqliteConnection(file.path, 'queryOnly');
    const plans = statements.map((sql) =>
      connection
        .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
        .all(...Array.from(sql.matchAll(/\?/g), () => 1))
        .flatMap(({ detail }) => (/^(SEARCH|SCAN|USE) (?!narrow|matching)/.test(detail) ? [detail] : [])),
    );
    connection.close();
    expect(plans.length).toBeGreaterThan(0);
    return [...new Set(plans.flat())];
  }

  const listed = (...conditions: readonly AuditCondition[]) =>
    plansOf(({ audit }) => audit.listSequences('acme', conditions, PAGE));
  const counted = (...conditions: readonly AuditCondition[]) => plansOf(({ audit }) => audit.count('acme', conditions));

  const covered = (index: string, column: string) =>
    `SEARCH audit_event USING COVERING INDEX ${index} (tenant=? AND ${column}=?)`;
  const BY_ACTOR = [covered('audit_event_client', 'client_id'), covered('audit_event_identity', 'identity_id')];
  const BY_RESOURCE = [
    covered('audit_event_resource', 'resource_id'),
    'SEARCH audit_event_member USING PRIMARY KEY (tenant=? AND resource_id=?)',
  ];

  test.each([
    { field: 'resourceId', plan: BY_RESOURCE },
    { field: 'resourceType', plan: [covered('audit_event_resource_type', 'resource_type')] },
    { field: 'operation', plan: [covered('audit_event_operation', 'operation')] },
    { field: 'outcome', plan: [covered('audit_event_outcome', 'outcome')] },
    { field: 'actor', plan: BY_ACTOR },
  ] as const)('is found by $field in an index alone', async ({ field, plan }) => {
    expect(await listed(equal(field))).toEqual(plan);
    expect(await counted(equal(field))).toEqual(plan);
  });

  test.each([
    { first: 'resourceId', others: [equal('outcome'), equal('actor'), since], plan: BY_RESOURCE },
    { first: 'actor', others: [equal('outcome'), equal('operation'), since], plan: BY_ACTOR },
  ] as const)('found by $first reads only the events of that condition', async ({ first, others, plan }) => {
    for (const conditions of [[...others, equal(first)], ...others.map((other) => [equal(first), other])]) {
      const steps = await listed(...conditions);
      expect(steps.slice(0, plan.length)).toEqual(plan);
      for (const step of steps.slice(plan.length)) expect(step).toContain('AND sequence=?)');
    }
  });

  test('begins at its offset, without reading the events before', async () => {
    const page = { limit: 1, offset: 999_999_999 };
    expect(await plansOf(({ audit }) => audit.listSequences('acme', [], page))).toContain(
      'SEARCH audit_event USING COVERING INDEX sqlite_autoindex_audit_event_1 (tenant=? AND sequence>?)',
    );
  });

  test('is read by sequences', async () => {
    const plans = await plansOf(async (store) => {
      await store.uiMetadata.change(actIn('acme'), { decide: (metadata) => ok({ ...metadata, usernameLabel: 'x' }) });
      vi.mocked(Sqlite.prototype.prepare).mockClear();
      await allOf(store.audit.read('acme', [1, 2, 3]));
    });
    expect(plans).toEqual(['SEARCH audit_event USING INDEX sqlite_autoindex_audit_event_1 (tenant=? AND sequence=?)']);
  });
});
