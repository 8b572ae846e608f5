import { describe, expect, test } from 'vitest';
import { openTestApi } from './test-api.ts';

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Requests of a directory to an authoritative source, with its static token. */
async function openDirectory() {
  const api = await openTestApi();
  await api.importRecords([{ kind: 'source', id: 'dir', name: 'Directory', authoritative: true }]);
  const body = { name: 'directory', scopes: ['scim:manage'] };
  const { json: client } = await api.call('POST', '/oauth-clients/v1', { body });
  const path = `/oauth-clients/v1/${client.id}/bearer-tokens`;
  const { token } = (await api.call('POST', path, { body: { source: 'dir' } })).json;
  const send = (method: string, at: string, content?: object) =>
    api.call(method, `/scim/v2/dir${at}`, {
      token,
      headers: { 'content-type': 'application/scim+json; charset=utf-8' },
      ...(content === undefined ? {} : { body: content }),
    });
  const patch = (at: string, ...Operations: readonly object[]) => send('PATCH', at, { schemas: [PATCH], Operations });
  const find = async (type: string, filter: string, more = '') =>
    (await send('GET', `/${type}?filter=${encodeURIComponent(filter)}${more}`)).json;
  const identity = async (id: string) => (await api.call('GET', `/identities/v1/${id}`)).json;
  return { send, patch, find, identity };
}

const valuesOf = (members: readonly { readonly value: string }[] = []) => members.map(({ value }) => value);

describe('Microsoft Entra ID', () => {
  const USERS = {
    schemas: [USER, ENTERPRISE],
    externalId: '58342554-38d6-4ec8-948c-50044d0a33fd',
    userName: 'ada@example.com',
    active: true,
    addresses: [{ primary: false, type: 'work', country: 'GB', formatted: 'St James' }],
    displayName: 'Ada Lovelace',
    emails: [{ primary: true, type: 'work', value: 'ada@example.com' }],
    meta: { resourceType: 'User' },
    name: { familyName: 'Lovelace', formatted: 'Ada Lovelace', givenName: 'Ada' },
    title: 'Analyst',
    [ENTERPRISE]: { department: 'Engines', manager: { value: 'm-1' } },
  };

  test('finds nobody, creates, changes, disables and deletes a user', async () => {
    const { send, patch, find, identity } = await openDirectory();
    // The test of the connection.
    expect(await find('Users', 'userName eq "non-existent-user"')).toMatchObject({ totalResults: 0, Resources: [] });
    const created = await send('POST', '/Users', USERS);
    expect(created.status).toBe(201);
    const path = `/Users/${created.json.id}`;
    expect((await find('Users', `externalId eq "${USERS.externalId}"`)).Resources).toMatchObject([
      { id: created.json.id, userName: 'ada@example.com' },
    ]);
    const changed = await patch(
      path,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada.l@example.com' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+44 1' },
      { op: 'Replace', path: 'name.familyName', value: 'King' },
      { op: 'Add', path: `${ENTERPRISE}:employeeNumber`, value: '7' },
      { op: 'Replace', path: `${ENTERPRISE}:manager`, value: 'm-2' },
    );
    expect([changed.status, changed.json]).toMatchObject([
      200,
      {
        emails: [{ value: 'ada.l@example.com' }],
        name: { familyName: 'King', givenName: 'Ada' },
        [ENTERPRISE]: { employeeNumber: '7', department: 'Engines', manager: { value: 'm-2' } },
      },
    ]);
    const removed = await patch(path, { op: 'Remove', path: `${ENTERPRISE}:manager` }, { op: 'Remove', path: 'title' });
    expect(removed.json[ENTERPRISE]).toEqual({ employeeNumber: '7', department: 'Engines' });
    expect(removed.json).not.toHaveProperty('title');
    // Without the flag `aadOptscim062020` it sends texts.
    expect((await patch(path, { op: 'Replace', path: 'active', value: 'False' })).json.active).toBe(false);
    expect(await identity(USERS.externalId)).toMatchObject({ active: false, email: 'ada.l@example.com' });
    expect((await find('Users', 'userName eq "ADA@example.com"')).Resources).toMatchObject([{ active: false }]);
    expect((await patch(path, { op: 'Replace', path: 'active', value: 'True' })).json.active).toBe(true);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('GET', path)).json).toMatchObject({ status: '404' });
  });

  test('takes fields at once, with dotted names and without a path', async () => {
    const { send, patch } = await openDirectory();
    const { id } = (await send('POST', '/Users', USERS)).json;
    const value = {
      'name.givenName': 'A.',
      displayName: 'A. L.',
      [`${ENTERPRISE}:department`]: 'Sales',
      active: false,
    };
    const { status, json } = await patch(`/Users/${id}`, { op: 'replace', value });
    expect([status, json]).toMatchObject([
      200,
      { displayName: 'A. L.', active: false, name: { givenName: 'A.' }, [ENTERPRISE]: { department: 'Sales' } },
    ]);
  });

  test('creates a group, renames it, and adds and removes members one by one', async () => {
    const { send, patch, find } = await openDirectory();
    const ids: string[] = [];
    for (const userName of ['ada', 'bob', 'cy']) ids.push((await send('POST', '/Users', { userName })).json.id);
    const [ada = '', bob = '', cy = ''] = ids;
    const made = { externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159', displayName: 'Payers', members: [] };
    const created = await send('POST', '/Groups', made);
    expect(created.status).toBe(201);
    const path = `/Groups/${created.json.id}`;
    const members = async () => valuesOf((await send('GET', path)).json.members);
    const found = await find('Groups', 'displayName eq "Payers"', '&excludedAttributes=members');
    expect(found.Resources).toMatchObject([{ id: created.json.id, externalId: made.externalId }]);
    expect((await patch(path, { op: 'Replace', path: 'displayName', value: 'All payers' })).status).toBe(204);
    for (const value of [ada, bob]) {
      const add = { op: 'Add', path: 'members', value: [{ $ref: null, value }] };
      expect((await patch(path, add)).status).toBe(204);
    }
    expect(await members()).toEqual([ada, bob].sort());
    // The look-up of one member.
    const isMember = `id eq "${created.json.id}" and members eq "${ada}"`;
    expect((await find('Groups', isMember, '&attributes=id')).totalResults).toBe(1);
    expect((await patch(path, { op: 'Remove', path: 'members', value: [{ $ref: null, value: ada }] })).status).toBe(
      204,
    );
    expect((await find('Groups', isMember, '&attributes=id')).totalResults).toBe(0);
    // With the flag it sends a filter, also for a user that is no member any more.
    const remove = (key: string) => ({ op: 'Remove', path: `members[value eq "${key}"]` });
    expect((await patch(path, remove(bob), remove(ada))).status).toBe(204);
    expect(await members()).toEqual([]);
    expect((await patch(path, { op: 'Add', path: 'members', value: [{ value: cy }] })).status).toBe(204);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('GET', `/Users/${cy}`)).json).not.toHaveProperty('groups');
  });
});

describe('Okta', () => {
  const OKTA_USER = {
    schemas: [USER],
    userName: 'bob@example.com',
    name: { givenName: 'Bob', familyName: 'Babbage' },
    emails: [{ primary: true, value: 'bob@example.com', type: 'work' }],
    displayName: 'Bob Babbage',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  };

  test('finds nobody, creates, reads, replaces, disables and enables a user', async () => {
    const { send, patch, find, identity } = await openDirectory();
    expect((await find('Users', 'userName eq "bob@example.com"', '&startIndex=1&count=100')).totalResults).toBe(0);
    const created = await send('POST', '/Users', OKTA_USER);
    expect(created.status).toBe(201);
    const path = `/Users/${created.json.id}`;
    const read = (await send('GET', path)).json;
    expect(read).not.toHaveProperty('password');
    // It sends back what it has read, with its changes.
    const replaced = await send('PUT', path, {
      ...read,
      displayName: 'Robert',
      name: { ...read.name, givenName: 'R.' },
    });
    expect([replaced.status, replaced.json]).toMatchObject([
      200,
      { id: created.json.id, displayName: 'Robert', name: { givenName: 'R.', familyName: 'Babbage' } },
    ]);
    expect((await patch(path, { op: 'replace', value: { active: false } })).json.active).toBe(false);
    expect((await identity(OKTA_USER.externalId)).active).toBe(false);
    expect((await patch(path, { op: 'replace', value: { active: true } })).json.active).toBe(true);
    expect((await identity(OKTA_USER.externalId)).active).toBe(true);
    // Apps without PATCH of users are disabled by PUT.
    expect((await send('PUT', path, { ...read, active: false })).json.active).toBe(false);
  });

  test('imports users page by page', async () => {
    const { send } = await openDirectory();
    for (let number = 0; number < 5; number += 1) await send('POST', '/Users', { userName: `user-${number}` });
    const names: string[] = [];
    for (let startIndex = 1, total = 1; startIndex <= total; startIndex += 2) {
      const { json } = await send('GET', `/Users?startIndex=${startIndex}&count=2`);
      expect(json).toMatchObject({ totalResults: 5, startIndex, itemsPerPage: json.Resources.length });
      total = json.totalResults;
      for (const { userName } of json.Resources) names.push(userName);
    }
    expect(names.sort()).toEqual([0, 1, 2, 3, 4].map((number) => `user-${number}`));
  });

  test('pushes a group, and renames, fills, replaces and deletes it', async () => {
    const { send, patch } = await openDirectory();
    const bob = (await send('POST', '/Users', OKTA_USER)).json.id;
    const ada = (await send('POST', '/Users', { userName: 'ada' })).json.id;
    const created = await send('POST', '/Groups', { displayName: 'Payers', members: [] });
    const path = `/Groups/${created.json.id}`;
    const members = async () => valuesOf((await send('GET', path)).json.members);
    const renamed = { op: 'replace', value: { id: created.json.id, displayName: 'All payers' } };
    expect((await patch(path, renamed)).status).toBe(204);
    const both = [bob, ada].map((value) => ({ value, display: 'as Okta calls it' }));
    expect((await patch(path, { op: 'add', path: 'members', value: both })).status).toBe(204);
    expect((await patch(path, { op: 'remove', path: `members[value eq "${ada}"]` })).status).toBe(204);
    expect(await members()).toEqual([bob]);
    expect((await patch(path, { op: 'replace', path: 'members', value: [{ value: ada }] })).status).toBe(204);
    expect(await members()).toEqual([ada]);
    const put = await send('PUT', path, { displayName: 'Payers', members: [{ value: bob, display: 'Bob' }] });
    expect([put.status, valuesOf(put.json.members)]).toEqual([200, [bob]]);
    expect((await send('DELETE', path)).status).toBe(204);
  });
});
