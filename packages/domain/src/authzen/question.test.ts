import { describe, expect, test } from 'vitest';
import { catalogueOf } from '../../test/sod-world.ts';
import { compileSodCatalogue } from '../sod/index.ts';
import { accessTargetOf, actionsOn } from './question.ts';

const GRANT = { resourceType: 'ledger', resourceId: 'l-1', action: 'post' };
const catalogue = compileSodCatalogue({
  ...catalogueOf({
    entitlements: [],
    accessProfiles: { profile: ['pay'] },
    roles: { clerk: { entitlements: ['pay'] } },
  }),
  entitlements: [
    { id: 'pay', name: 'Pay', source: null, grants: [GRANT, { ...GRANT, action: 'read' }] },
    { id: 'post', name: 'Post', source: null, grants: [GRANT] },
  ],
});

const target = (
  action: string,
  type: string,
  id = '',
  accessRefs: readonly { type: 'ENTITLEMENT'; id: string }[] = [],
) => accessTargetOf(catalogue, { subject: { type: 'identity' }, action, resource: { type, id, accessRefs } });

describe('what a question means', () => {
  test.each([
    ['entitlement', 'pay', 'ENTITLEMENT'],
    ['access_profile', 'profile', 'ACCESS_PROFILE'],
    ['role', 'clerk', 'ROLE'],
  ] as const)('an item of the catalogue can be held and requested: %s', (type, id, accessType) => {
    const ref = { type: accessType, id };
    expect(target('hold', type, id)).toEqual({ ok: true, value: { kind: 'hold', ref } });
    expect(target('request', type, id)).toEqual({ ok: true, value: { kind: 'request', accessRefs: [ref] } });
    expect(target('hold', type, 'unknown')).toMatchObject({ ok: false, failure: { code: 'RESOURCE_NOT_FOUND' } });
    expect(target('use', type, id)).toMatchObject({ ok: false, failure: { code: 'NOT_KNOWN' } });
  });

  test('a capability can be used, an unknown one does not exist', () => {
    expect(target('use', 'capability', 'ORG_ADMIN')).toEqual({
      ok: true,
      value: { kind: 'use', capability: 'ORG_ADMIN' },
    });
    expect(target('use', 'capability', 'NONE')).toMatchObject({ ok: false, failure: { code: 'RESOURCE_NOT_FOUND' } });
    expect(target('hold', 'capability', 'ORG_ADMIN')).toMatchObject({ ok: false, failure: { code: 'NOT_KNOWN' } });
  });

  test('a request names what it asks for, or its first ref that is not there', () => {
    const refs = [{ type: 'ENTITLEMENT', id: 'pay' } as const];
    expect(target('request', 'access_request', '', refs)).toEqual({
      ok: true,
      value: { kind: 'request', accessRefs: refs },
    });
    const text = expect.stringMatching(/^accessRefs\[1\]: /);
    expect(target('request', 'access_request', '', [...refs, { type: 'ENTITLEMENT', id: 'gone' }])).toEqual({
      ok: false,
      failure: { code: 'RESOURCE_NOT_FOUND', text },
    });
  });

  test('an action of an application means the entitlements that grant it', () => {
    const numberOf = (id: string) => catalogue.numbers.get(id);
    expect(target('post', 'ledger', 'l-1')).toEqual({
      ok: true,
      value: { kind: 'grant', entitlements: [numberOf('pay'), numberOf('post')] },
    });
    expect(target('read', 'ledger', 'l-1')).toMatchObject({ value: { entitlements: [numberOf('pay')] } });
    expect(target('post', 'ledger', 'l-2')).toMatchObject({ ok: false, failure: { code: 'RESOURCE_NOT_FOUND' } });
    expect(target('close', 'ledger', 'l-1')).toMatchObject({ ok: false, failure: { code: 'NOT_KNOWN' } });
    expect(target('post', 'book', 'l-1')).toMatchObject({ ok: false, failure: { code: 'NOT_KNOWN' } });
  });

  test('subjects are identities and users', () => {
    const ask = (type: string) =>
      accessTargetOf(catalogue, {
        subject: { type },
        action: 'use',
        resource: { type: 'capability', id: 'ORG_ADMIN', accessRefs: null },
      });
    expect([ask('identity').ok, ask('user').ok, ask('group').ok]).toEqual([true, true, false]);
  });
});

test('the actions on resources follow from their type', () => {
  const actions = (type: string) => actionsOn(catalogue, type);
  expect(actions('role')).toEqual(new Set(['hold', 'request']));
  expect(actions('access_request')).toEqual(new Set(['request']));
  expect(actions('capability')).toEqual(new Set(['use']));
  expect(actions('ledger')).toEqual(new Set(['post', 'read']));
  expect(actions('book')).toBeNull();
});
