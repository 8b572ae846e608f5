import { fail, failure, ok, parseScimFilter, SOURCE_DEFAULTS, type Source } from '@access-admin/domain';
import { accountKeyOf, type Store } from '../src/index.ts';
import { actIn, NOW } from './model-records.ts';

const SOURCE: Source = { id: 'hr', name: 'HR', ...SOURCE_DEFAULTS, created: NOW, modified: NOW, lastLoad: null };
const FIELDS = { name: 'ada', displayName: 'Ada', email: 'ada@example.com', disabled: false, externalId: 'x-1' };
const KEY = accountKeyOf('hr', 'x-1');
const QUERY = { sortBy: 'displayName', descends: false, offset: 0, limit: 10 } as const;
const precondition = () => ok(null);
/** Reads what a write is guarded by, and refuses nothing. */
const guard = { holds: () => true, refusal: failure('Conflict', '', '') };

/** A call of each method of SCIM that reaches all its statements, in this order. */
export const SCIM_CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'scim.createUser': ({ scim }) => scim.createUser(actIn('acme'), 'hr', { fields: FIELDS, newId: 'new' }),
  'scim.changeUser': async ({ scim }) => {
    const change = { key: KEY, guard };
    await scim.changeUser(actIn('acme'), 'hr', { ...change, decide: () => ok({ ...FIELDS, disabled: true }) });
    return scim.changeUser(actIn('acme'), 'hr', { ...change, decide: () => ok({ ...FIELDS, displayName: 'A' }) });
  },
  'scim.createGroup': ({ scim }) =>
    scim.createGroup(actIn('acme'), 'hr', {
      id: 'scim-group',
      name: 'G',
      externalId: null,
      members: [{ kind: 'add', keys: [KEY] }],
    }),
  'scim.listUsers': ({ scim }) =>
    scim.listUsers('acme', SOURCE, { ...QUERY, filter: parseScimFilter('displayName co "a" and active eq true') }),
  'scim.findUser': ({ scim }) => scim.findUser('acme', SOURCE, KEY),
  'scim.listGroups': ({ scim }) =>
    scim.listGroups('acme', SOURCE, { ...QUERY, filter: parseScimFilter('members pr'), withMembers: true }),
  'scim.findGroup': ({ scim }) => scim.findGroup('acme', SOURCE, { id: 'scim-group', withMembers: true }),
  'scim.changeGroup': ({ scim }) =>
    scim.changeGroup(actIn('acme'), 'hr', {
      id: 'scim-group',
      precondition,
      decide: () => ok({ name: 'H', externalId: null, members: [{ kind: 'set', keys: [KEY] }] }),
    }),
  'scim.deleteGroup': ({ scim }) => scim.deleteGroup(actIn('acme'), 'hr', { id: 'scim-group', precondition }),
  'scim.deleteUser': async ({ scim }) => {
    await scim.deleteUser(actIn('acme'), 'hr', { key: KEY, precondition: () => fail(failure('Conflict', '', 'no')) });
    return scim.deleteUser(actIn('acme'), 'hr', { key: KEY, precondition, guard });
  },
};
