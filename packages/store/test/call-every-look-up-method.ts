import type { LookUpKind, Store } from '../src/index.ts';

const PAGE = { limit: 10, offset: 1, after: null };
const KINDS: readonly LookUpKind[] = ['entitlement', 'access_profile', 'role', 'identity_profile', 'identity'];

const CONDITIONS = [
  { field: 'name', operator: 'sw', values: ['i'] },
  { field: 'name', operator: 'co', values: ['i-1'] },
  { field: 'name', operator: 'eq', values: ['i-1'] },
] as const;

/** A call of each method of the look-ups that reaches all its statements for few records, in this order. */
export const LOOK_UP_CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'lookUps.list': async ({ lookUps }) => {
    for (const kind of KINDS)
      for (const conditions of [[], [{ field: 'id', operator: 'in', values: ['i-1'] } as const], CONDITIONS])
        for (const field of ['id', 'name'] as const)
          for (const offset of [0, 1]) {
            const query = { conditions, sorters: [{ field, descends: false }] };
            await lookUps.list({ tenant: 'acme', kind, query }, { ...PAGE, offset });
          }
  },
  'lookUps.count': async ({ lookUps }) => {
    for (const kind of KINDS)
      for (const conditions of [[], CONDITIONS]) await lookUps.count({ tenant: 'acme', kind, conditions });
  },
  'lookUps.find': async ({ lookUps }) => {
    const ids = { entitlement: 'e-1', access_profile: 'ap', role: 'r', identity_profile: 'ip', identity: 'i-1' };
    for (const kind of KINDS)
      if ((await lookUps.find('acme', kind, ids[kind])) === null) throw new Error(`there is no ${kind}`);
  },
  'lookUps.listHolders': ({ lookUps }) => lookUps.listHolders('acme', { type: 'ENTITLEMENT', id: 'e-1' }, PAGE),
  'lookUps.countHolders': ({ lookUps }) => lookUps.countHolders('acme', { type: 'ACCESS_PROFILE', id: 'ap' }),
  'subjects.findByUsername': ({ subjects }) => subjects.findByUsername('acme', 'i-1'),
  'subjects.findCapabilities': ({ subjects }) => subjects.findCapabilities('acme', 'i-1'),
  'subjects.readNext': async ({ subjects }) => {
    for (const by of ['id', 'uid'] as const) await subjects.readNext({ tenant: 'acme', by, after: '' }, 10);
  },
  'subjects.readHaving': ({ subjects }) =>
    subjects.readHaving({ tenant: 'acme', by: 'uid', after: '' }, [{ type: 'ENTITLEMENT', id: 'e-1' }]),
  'subjects.readCapable': ({ subjects }) =>
    subjects.readCapable({ tenant: 'acme', by: 'id', after: '' }, 'ORG_ADMIN', 10),
  'subjects.findExcepted': ({ subjects }) => subjects.findExcepted('acme', ['i-1']),
};
