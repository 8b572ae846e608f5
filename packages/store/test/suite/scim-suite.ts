import {
  type AccessModelRecord,
  type ScimFilter,
  type ScimOperator,
  SOURCE_DEFAULTS,
  type Source,
} from '@access-admin/domain';
import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScimAccountFields, Store } from '../../src/index.ts';
import { actIn, deletion, entitlement, holds, importAll, NOW } from '../model-records.ts';
import { openRaw } from '../raw-database.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';
import { account, source } from './source-suite.ts';

const SOURCE: Source = { id: 'hr', name: 'hr', ...SOURCE_DEFAULTS, created: NOW, modified: NOW, lastLoad: null };

// Letters of which both engines know the small form, and marks that patterns of SQL give a meaning.
const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'é', 'É', '%', '_', '\\', "'", '"', ' '), maxLength: 4 });
const name = text.filter((each) => each.trim() !== '');

const USERS = fc.uniqueArray(
  fc.record({
    name,
    externalId: fc.option(name),
    displayName: fc.option(name),
    email: fc.option(name),
    disabled: fc.boolean(),
  }),
  { selector: (user) => user.name.toLowerCase(), maxLength: 6 },
);

const OPERATORS: readonly ScimOperator[] = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'];

const comparison = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    attribute: fc.constantFrom('username', 'externalid', 'displayname', 'emails.value', 'emails'),
    operator: fc.constantFrom(...OPERATORS),
    value: text,
  }),
  fc.record({
    kind: fc.constant('compare' as const),
    attribute: fc.constantFrom('username', 'externalid', 'displayname', 'emails.value'),
    operator: fc.constantFrom<ScimOperator>('eq', 'ne'),
    value: fc.constant(null),
  }),
  fc.record({
    kind: fc.constant('compare' as const),
    attribute: fc.constant('active'),
    operator: fc.constantFrom<ScimOperator>('eq', 'ne'),
    value: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('present' as const),
    attribute: fc.constantFrom('id', 'externalid', 'displayname', 'emails.value', 'emails'),
  }),
);

const FILTERS = fc.letrec<{ filter: ScimFilter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc.record({ kind: fc.constant('not' as const), filter: tie('filter') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      filters: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
    }),
  ),
})).filter;

/** A naive evaluation of a filter, which shares nothing with the one that is tested. */
function meets(filter: ScimFilter, user: ScimAccountFields): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((each) => meets(each, user));
    case 'or':
      return filter.filters.some((each) => meets(each, user));
    case 'not':
      return !meets(filter.filter, user);
    case 'value':
      return false;
    case 'present':
      return filter.attribute === 'id' || heldBy(user, filter.attribute) !== null;
    case 'compare':
      return compare(filter.operator, heldBy(user, filter.attribute), filter);
  }
}

function heldBy(user: ScimAccountFields, attribute: string): string | boolean | null {
  if (attribute === 'active') return !user.disabled;
  if (attribute === 'username') return user.name;
  if (attribute === 'externalid') return user.externalId;
  return attribute === 'displayname' ? user.displayName : user.email;
}

function compare(
  operator: ScimOperator,
  held: string | boolean | null,
  { attribute, value }: Extract<ScimFilter, { readonly kind: 'compare' }>,
): boolean {
  // What is absent is only equal to null, and has no order.
  if (typeof held !== 'string' || typeof value !== 'string')
    return operator === 'eq' ? held === value : operator === 'ne' && held !== value;
  const isOrder = ['gt', 'ge', 'lt', 'le'].includes(operator);
  // The order of a name is that of its small letters; of other texts only those of ASCII count as small.
  const ascii = (each: string) => each.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const whole = (each: string) => each.toLowerCase();
  const form = attribute === 'externalid' ? String : isOrder && attribute !== 'username' ? ascii : whole;
  const one = form(held);
  const other = form(value);
  const order = Buffer.compare(Buffer.from(one), Buffer.from(other));
  switch (operator) {
    case 'eq':
      return one === other;
    case 'ne':
      return one !== other;
    case 'co':
      return one.includes(other);
    case 'sw':
      return one.startsWith(other);
    case 'ew':
      return one.endsWith(other);
    case 'gt':
      return order > 0;
    case 'ge':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
  }
}

async function namesOf({ scim }: Store, tenant: string, filter: ScimFilter): Promise<readonly string[] | null> {
  const query = { filter, sortBy: 'userName', descends: false, offset: 0, limit: 100 } as const;
  const page = await scim.listUsers(tenant, SOURCE, query);
  expect(page?.total).toBe(page?.resources.length);
  return page === null ? null : page.resources.map(({ account }) => account.name).sort();
}

export function describeScim(engine: StoreEngine): void {
  describe('filters of SCIM', () => {
    test('find what a naive evaluation finds', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      let world = 0;
      await fc.assert(
        fc.asyncProperty(USERS, fc.array(FILTERS, { minLength: 10, maxLength: 20 }), async (users, filters) => {
          const tenant = `t-${world++}`;
          await importAll(store, tenant, [source('hr')]);
          const stored: ScimAccountFields[] = [];
          for (const [at, user] of users.entries()) {
            const creation = { fields: user, newId: `new-${at}` };
            if ((await store.scim.createUser(actIn(tenant), 'hr', creation)).ok) stored.push(user);
          }
          for (const filter of filters) {
            const expected = stored.filter((user) => meets(filter, user)).map((user) => user.name);
            expect(await namesOf(store, tenant, filter)).toEqual(expected.sort());
          }
        }),
        runs(10),
      );
    });

    test('other attributes, and values that an attribute cannot have, are not allowed', async () => {
      await using database = await openDatabase(engine);
      await importAll(database.store, 'acme', [source('hr')]);
      const refused: readonly ScimFilter[] = [
        { kind: 'present', attribute: 'title' },
        { kind: 'compare', attribute: 'username', operator: 'eq', value: 1 },
        { kind: 'compare', attribute: 'active', operator: 'gt', value: true },
        { kind: 'compare', attribute: 'displayname', operator: 'co', value: null },
        { kind: 'compare', attribute: 'meta.lastmodified', operator: 'gt', value: 'yesterday' },
        { kind: 'value', attribute: 'username', filter: { kind: 'present', attribute: 'value' } },
      ];
      for (const filter of refused)
        expect([filter, await namesOf(database.store, 'acme', filter)]).toEqual([filter, null]);
    });
  });
  describe('groups of SCIM', () => {
    test('have the members that were loaded before SCIM asked for them, and keep them', async () => {
      await using database = await openDatabase(engine);
      const { store } = database;
      const group = (id: string): AccessModelRecord => ({ ...entitlement(id), source: 'hr' });
      const holding = (id: string, ...groups: readonly string[]) =>
        account('hr', id, { access: holds('ENTITLEMENT', ...groups) });
      const membersOf = async (id: string) => {
        const found = await store.scim.findGroup('acme', SOURCE, { id, withMembers: true });
        return found?.members?.length;
      };
      const many = Array.from({ length: 600 }, (_, at) => holding(`a-${at}`, 'g-1'));
      await importAll(store, 'acme', [source('hr'), group('g-1'), group('g-2'), ...many]);
      await using raw = await openRaw(database);
      expect(await raw.rows('account_access')).toEqual([]);

      expect([await membersOf('g-1'), await membersOf('g-2')]).toEqual([600, 0]);
      await importAll(store, 'acme', [holding('a-0', 'g-2'), holding('a-1', 'g-1', 'g-2'), holding('a-2')]);
      expect([await membersOf('g-1'), await membersOf('g-2')]).toEqual([598, 2]);

      // A source that is made anew has none of them.
      await importAll(store, 'acme', [deletion('source', 'hr')]);
      await importAll(store, 'acme', [source('hr'), holding('a-3', 'g-1')]);
      expect([await membersOf('g-1'), await membersOf('g-2')]).toEqual([1, 0]);
    });
  });
}
