import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { shareTestApi } from './share-test-api.ts';
import {
  ASKED,
  END,
  EXCEPTIONS,
  exceptionsOf,
  GUILTY,
  holder,
  INNOCENT,
  openExceptions,
  refusalOf,
  START,
} from './sod-exceptions-world.ts';
import { WORLD } from './test-api.ts';

const NOW = '2026-11-21T09:30:00.000Z';
const DAY_MS = 86_400_000;
/** What Cleo's conflict with the policy of the world looks like. */
const TERMS = {
  policyName: 'Vendor and payment',
  level: 'CRITICAL',
  conflictingAccessCriteria: {
    leftCriteria: {
      criteriaList: [{ type: 'ENTITLEMENT', id: 'e-vendor', name: 'ERP: create vendor', existing: true }],
    },
    rightCriteria: {
      criteriaList: [{ type: 'ENTITLEMENT', id: 'e-pay', name: 'AP: release payment', existing: true }],
    },
  },
  digest: hash(
    'sha256',
    '{"conflictingItems":["e-pay","e-vendor"],"criteria":{"atLeast":2,"sides":[{"items":["e-vendor"],"name":"create vendor"},{"items":["e-pay"],"name":"pay vendor"}]},"level":"CRITICAL","name":"Vendor and payment"}',
  ),
};
const sides = (left: string, ...right: readonly string[]) => ({
  leftCriteria: { name: 'create vendor', criteriaList: [{ type: 'ENTITLEMENT', id: left }] },
  rightCriteria: { name: 'pay vendor', criteriaList: right.map((id) => ({ type: 'ENTITLEMENT', id })) },
});
/** The policy of the world with another item, which Cleo does not hold. */
const WIDE = { ...WORLD[10], conflictingAccessCriteria: sides('e-vendor', 'e-pay', 'e-more') };
const daysAfter = (start: string, days: number) => new Date(Date.parse(start) + days * DAY_MS).toISOString();

describe('an exception', () => {
  test('is requested, approved by another identity and revoked, with actor and time of each step', async () => {
    const { api, ask, get, move } = await openExceptions();
    const asked = await ask();
    const { id } = asked.json;
    expect([asked.status, asked.headers.get('location')]).toEqual([201, `${EXCEPTIONS}/${id}`]);
    expect(asked.json).toEqual({
      id,
      ...ASKED,
      state: 'REQUESTED',
      requesterId: 'i-ada',
      created: NOW,
      approverId: null,
      approved: null,
      revokerId: null,
      revoked: null,
      voided: null,
      terms: TERMS,
      decisions: [],
    });
    expect((await get(id)).text).toBe(asked.text);

    api.clock.nowMs += 1_000;
    const approved = await move(id, 'approve', undefined, {}, { comment: 'Year end only.' });
    const by = { identityId: 'i-hal', displayName: 'hal' };
    const approval = { action: 'APPROVED', by, at: '2026-11-21T09:30:01.000Z', comment: 'Year end only.' };
    const inForce = { state: 'APPROVED', approverId: 'i-hal', approved: approval.at, decisions: [approval] };
    expect([approved.status, approved.json]).toEqual([200, { ...asked.json, ...inForce }]);
    expect((await get(id)).text).toBe(approved.text);

    api.clock.nowMs += 1_000;
    const revoked = await move(id, 'revoke');
    const revocation = { action: 'REVOKED', by, at: '2026-11-21T09:30:02.000Z', comment: null };
    const takenBack = {
      state: 'REVOKED',
      revokerId: 'i-hal',
      revoked: revocation.at,
      decisions: [approval, revocation],
    };
    expect([revoked.status, revoked.json]).toEqual([200, { ...approved.json, ...takenBack }]);
    expect((await get(id)).text).toBe(revoked.text);
  });

  test('is stored as requested, in UTC', async () => {
    const { ask } = await openExceptions();
    const justification = ' Größe "x" \\ \u200f \u{1f600}\n';
    const odd = await ask({ start: '2026-11-21T01:00+02:00', end: '2026-12-01T00:00:00.5Z', justification });
    expect([odd.status, odd.json]).toMatchObject([
      201,
      { start: '2026-11-20T23:00:00.000Z', end: '2026-12-01T00:00:00.500Z', justification },
    ]);
  });

  test('has an ETag, and changes its state only in the version that If-Match names', async () => {
    const { ask, get, move } = await openExceptions();
    const { json, headers } = await ask();
    const etag = headers.get('etag') ?? '';
    expect([etag, (await get(json.id)).headers.get('etag')]).toEqual([expect.stringMatching(/^".+"$/), etag]);
    const stale = await move(json.id, 'approve', undefined, { 'if-match': '"other"' });
    expect(refusalOf(stale).slice(0, 2)).toEqual([412, '412']);
    const approved = await move(json.id, 'approve', undefined, { 'if-match': etag });
    expect([approved.status, approved.headers.get('etag')]).toEqual([200, expect.not.stringMatching(etag)]);
    expect((await move(json.id, 'revoke', undefined, { 'if-match': etag })).status).toBe(412);
    expect((await move(json.id, 'revoke', undefined, { 'if-match': '*' })).status).toBe(200);
    // A wrong state is reported before a wrong version.
    expect((await move(json.id, 'revoke', undefined, { 'if-match': etag })).status).toBe(409);
  });
});

describe('a request for an exception', () => {
  const world = shareTestApi(exceptionsOf);

  test.each([
    [{ end: START }, 'end: must be after start'],
    [{ end: '2026-11-20T00:00:00Z' }, 'end: must be after start'],
    [{ start: '2026-10-01T00:00:00Z', end: NOW }, 'end: must be in the future'],
    [
      { end: new Date(Date.parse(START) + 366 * DAY_MS + 1).toISOString() },
      'end: must be at most 366 days after start',
    ],
    [{ start: '2026-11-21' }, 'start: must be an instant in ISO 8601 with an offset, such as 2026-11-21T09:30:00Z'],
    [{ end: '2027-02-30T00:00:00Z' }, 'end: must be an instant that exists, in the years 0 to 9999'],
    [{ start: 1 }, 'start: must be a string'],
    [{ policyId: 1 }, 'policyId: must be a string'],
    [{ justification: null }, 'justification: must be a string'],
  ] as const)('with %j has an illegal value', async (asked, text) => {
    const { ask } = world();
    expect(refusalOf(await ask(asked))).toEqual([400, '400.1.3', text]);
  });

  test('may have a window of exactly 366 days, in the present or the future', async () => {
    const { ask, move } = world();
    for (const start of [START, daysAfter(START, 1_000)]) {
      const longest = await ask({ start, end: daysAfter(start, 366) });
      expect(longest.status).toBe(201);
      expect((await move(longest.json.id, 'revoke')).status).toBe(200);
    }
  });

  test('may have a justification of 4,000 characters and a body of 64 KiB', async () => {
    const { api, ada, ask, move } = world();
    const longest = await ask({ justification: '\u{1f600}'.repeat(4_000) });
    expect([longest.status, longest.json.justification?.length]).toEqual([201, 8_000]);
    expect((await move(longest.json.id, 'revoke')).status).toBe(200);
    expect(refusalOf(await ask({ justification: 'x'.repeat(4_001) })).slice(0, 2)).toEqual([400, '400.1.2']);
    const padded = (bytes: number) =>
      api.call('POST', EXCEPTIONS, { token: ada, body: JSON.stringify(ASKED).padEnd(bytes) });
    const largest = await padded(65_536);
    expect(largest.status).toBe(201);
    expect((await move(largest.json.id, 'revoke')).status).toBe(200);
    expect((await padded(65_537)).status).toBe(413);
  });

  test.each(['policyId', 'identityId', 'start', 'end', 'justification'])('must have %s', async (name) => {
    const { ask } = world();
    expect(refusalOf(await ask({ [name]: undefined })).slice(0, 2)).toEqual([400, '400.1.0']);
    if (name.length > 5) expect(refusalOf(await ask({ [name]: '' })).slice(0, 2)).toEqual([400, '400.1.0']);
  });

  test('refuses an empty justification and unknown properties', async () => {
    const { api, ada, ask } = world();
    expect(refusalOf(await ask({ justification: ' \n\t' })).slice(0, 2)).toEqual([400, '400.1.0']);
    expect(refusalOf(await ask({ state: 'APPROVED' }))).toEqual([400, '400.1', 'state: unknown property: remove it']);
    for (const body of [
      '{',
      '[]',
      'null',
      JSON.stringify({ ...ASKED, justification: 'a\0' }),
      '{"policyId":"\\ud800"}',
    ])
      expect(refusalOf(await api.call('POST', EXCEPTIONS, { token: ada, body })).slice(0, 2)).toEqual([400, '400.1']);
  });

  test('names both an unknown policy and an unknown identity', async () => {
    const { ask } = world();
    const noPolicy = 'policyId: there is no such SOD policy';
    const noIdentity = 'identityId: there is no such identity';
    expect(refusalOf(await ask({ policyId: 'p-no' }))).toEqual([400, '400.1.404', noPolicy]);
    expect(refusalOf(await ask({ identityId: 'ö "; --' }))).toEqual([400, '400.1.404', noIdentity]);
    expect(refusalOf(await ask({ policyId: 'p-no', identityId: 'i-no' }))).toEqual([
      400,
      '400.1.404',
      noPolicy,
      noIdentity,
    ]);
  });

  test('does not need an existing conflict or an enforced policy', async () => {
    const { api, ask } = await openExceptions();
    await api.importRecords([INNOCENT, { ...WORLD[10], state: 'NOT_ENFORCED' }]);
    expect((await ask()).status).toBe(201);
  });
});

describe('the actor of an exception', () => {
  test('is never the identity of the exception, and the requester never approves it', async () => {
    const { api, ada, bob, hal, ask, move } = await openExceptions();
    await api.importRecords([holder('i-hal', 'e-vendor', 'e-pay')]);
    const forHal = { identityId: 'i-hal' };
    expect(refusalOf(await ask(forHal, hal))).toEqual([
      403,
      '403',
      'identityId: the requester must not be the identity of the exception',
    ]);
    const { id } = (await ask(forHal, ada)).json;
    expect(refusalOf(await move(id, 'approve', hal))).toEqual([
      403,
      '403',
      'the approver must not be the identity of the exception',
    ]);
    expect(refusalOf(await move(id, 'approve', ada))).toEqual([
      403,
      '403',
      'the approver must not be the requester of the exception',
    ]);
    expect((await move(id, 'approve', bob)).status).toBe(200);
    // Rights are checked before the state.
    expect((await move(id, 'approve', ada)).status).toBe(403);
    expect((await move(id, 'revoke', hal)).status).toBe(200);
  });

  test('is an identity that has POLICY_ADMIN or ORG_ADMIN at the time, and no application', async () => {
    const { api, hal, ask, move } = await openExceptions();
    const cleo = await api.clientToken({ identityId: 'i-cleo' });
    const { id } = (await ask()).json;
    const root = await api.rootToken();
    const calls = (token: string) => [
      api.call('GET', EXCEPTIONS, { token }),
      api.call('GET', `${EXCEPTIONS}/${id}`, { token }),
      ask({}, token),
      move(id, 'approve', token),
      move(id, 'revoke', token),
    ];
    for (const token of [cleo, root])
      expect((await Promise.all(calls(token))).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const lose = [{ op: 'replace', path: '/capabilities', value: ['HELPDESK'] }];
    expect((await api.call('PATCH', '/auth-users/v1/i-hal', { body: lose })).status).toBe(200);
    expect((await move(id, 'approve', hal)).status).toBe(403);
    expect((await api.call('GET', `${EXCEPTIONS}/${id}`, { token: hal })).status).toBe(403);
  });

  test('needs the managing scope to write, and the reading scope to read', async () => {
    const { api, ask, move, list } = await openExceptions();
    const reader = await api.clientToken({ identityId: 'i-hal', scopes: ['sod-exceptions:read'] });
    const stranger = await api.clientToken({ identityId: 'i-hal', scopes: ['sod-policies:manage'] });
    const { id } = (await ask()).json;
    for (const token of [reader, stranger])
      for (const refused of [await ask({}, token), await move(id, 'approve', token), await move(id, 'revoke', token)])
        expect(refused.status).toBe(403);
    expect([(await list(null, '', reader)).status, (await list(null, '', stranger)).status]).toEqual([200, 403]);
  });

  test('stays in its tenant', async () => {
    const { api, ask, list } = await openExceptions();
    const { id } = (await ask()).json;
    const elsewhere = await api.clientToken({ tenant: 'other-tenant' });
    await api.importRecords([...WORLD, GUILTY], elsewhere);
    const client = { name: 'x', scopes: ['sod-exceptions:manage'], identityId: 'i-hal' };
    const made = await api.call('POST', '/oauth-clients/v1', { token: elsewhere, body: client });
    const hal = await api.tokenFor(made.json.id, made.json.secret);
    const bytes = async (name: string) =>
      Promise.all(
        (['', '/approve', '/revoke'] as const).map(async (what) => {
          const method = what === '' ? 'GET' : 'POST';
          const path = `${EXCEPTIONS}/${name}${what}`;
          const answer = await api.call(method, path, { token: hal, ...(what === '' ? {} : { body: {} }) });
          return [answer.status, answer.text.replaceAll(/"trackingId":"\w+"/g, '')];
        }),
      );
    const foreign = await bytes(id);
    expect(foreign.map(([status]) => status)).toEqual([404, 404, 404]);
    expect(foreign).toEqual(await bytes('unknown'));
    expect((await list(null, '', hal)).json).toEqual([]);
    // A live exception of the other tenant is not live in this one.
    expect((await ask({}, hal)).status).toBe(201);
  });
});

describe('the state of an exception changes', () => {
  test('from the permitted states only', async () => {
    const { ask, move } = await openExceptions();
    const { id } = (await ask()).json;
    expect((await move(id, 'approve')).status).toBe(200);
    const onlyRequested = 'is APPROVED: only a REQUESTED exception can be approved';
    expect(refusalOf(await move(id, 'approve'))).toEqual([409, '409.1', onlyRequested]);
    expect((await move(id, 'revoke')).status).toBe(200);
    for (const what of ['approve', 'revoke'] as const)
      expect(refusalOf(await move(id, what)).slice(0, 2)).toEqual([409, '409.1']);
    const other = (await ask()).json.id;
    expect((await move(other, 'revoke')).status).toBe(200);
    expect((await move(other, 'approve')).status).toBe(409);
  });

  test('with an empty object or a comment as body', async () => {
    const { api, hal, ask } = await openExceptions();
    const { id } = (await ask()).json;
    for (const what of ['approve', 'revoke']) {
      const send = (body: unknown) => api.call('POST', `${EXCEPTIONS}/${id}/${what}`, { token: hal, body });
      for (const body of ['[]', 'null', '{"reason":"x"}'])
        expect([what, body, ...refusalOf(await send(body)).slice(0, 2)]).toEqual([what, body, 400, '400.1']);
      for (const [comment, code] of [
        ['', '400.1.2'],
        ['\u{1f600}'.repeat(1_001), '400.1.2'],
        [1, '400.1.3'],
        [null, '400.1.3'],
        ['\u202e', '400.1.3'],
      ])
        expect([what, ...refusalOf(await send({ comment })).slice(0, 2)]).toEqual([what, 400, code]);
      expect((await send(what === 'approve' ? {} : { comment: '\u{1f600}'.repeat(1_000) })).status).toBe(200);
    }
  });

  test('to APPROVED only if held access violates the policy', async () => {
    const { api, ask, move } = await openExceptions();
    const none = 'the access of the identity does not violate the policy';
    const { id } = (await ask()).json;
    for (const records of [[INNOCENT], [GUILTY, { ...WORLD[10], state: 'NOT_ENFORCED' }]]) {
      await api.importRecords(records);
      expect(refusalOf(await move(id, 'approve'))).toEqual([409, '409.1', none]);
    }
    await api.importRecords([WORLD[10]]);
    expect((await move(id, 'approve')).status).toBe(200);
  });

  test('to APPROVED if enough sides are held through roles and access profiles', async () => {
    const { api, ask, move, approveSeen } = await openExceptions();
    const side = (id: string) => ({ name: null, criteriaList: [{ type: 'ENTITLEMENT', id }] });
    const wide = (atLeast: number) => ({
      kind: 'sodPolicy',
      id: 'p-wide',
      name: 'Wide',
      conflictingAccessCriteria: { criteria: ['e-vendor', 'e-pay', 'e-report'].map(side), atLeast },
    });
    // The role gives `e-vendor` and `e-report`.
    await api.importRecords([wide(3), { ...holder('i-eve'), access: [{ type: 'ROLE', id: 'r-buyer' }] }]);
    const { id } = (await ask({ policyId: 'p-wide', identityId: 'i-eve' })).json;
    expect((await move(id, 'approve')).status).toBe(409);
    await api.importRecords([wide(2)]);
    const approved = await approveSeen(id);
    const item = (itemId: string, name: string) => ({ type: 'ENTITLEMENT', id: itemId, name, existing: true });
    expect([approved.status, approved.json.terms.conflictingAccessCriteria]).toEqual([
      200,
      {
        criteria: [
          { name: null, criteriaList: [item('e-vendor', 'ERP: create vendor')] },
          { name: null, criteriaList: [item('e-report', 'BI: read')] },
        ],
        atLeast: 2,
      },
    ]);
  });
});

describe('an approval is of what was seen', () => {
  const patchOf = (path: string, value: unknown) => [{ op: 'replace', path, value }];

  test('a requester who changes the policy between look and approval is found out', async () => {
    const { api, ask, get, move, hal } = await openExceptions();
    const { id } = (await ask({}, hal)).json;
    const bob = await api.clientToken({ identityId: 'i-bob' });
    const seen = await get(id, bob);
    const harmless = seen.headers.get('etag') ?? '';
    expect(seen.json.terms).toEqual(TERMS);
    const patch = await api.call('PATCH', '/sod-policies/v1/p-1', { token: hal, body: patchOf('/level', 'LOW') });
    expect(patch.status).toBe(200);
    const approve = (headers: Record<string, string>) => move(id, 'approve', bob, headers);
    expect(refusalOf(await approve({ 'if-match': harmless })).slice(0, 2)).toEqual([412, '412']);
    for (const headers of [{}, { 'if-match': '*' }] as const)
      expect(refusalOf(await approve(headers))).toEqual([
        428,
        '428',
        'If-Match: the terms of the exception have changed since it was requested: read it again, and send its ETag',
      ]);
    const present = await get(id, bob);
    expect(present.json).toMatchObject({ state: 'REQUESTED', terms: { level: 'LOW' } });
    expect(present.json.terms.digest).not.toBe(TERMS.digest);
    const approved = await approve({ 'if-match': present.headers.get('etag') ?? '' });
    expect([approved.status, approved.json.terms]).toEqual([200, present.json.terms]);
  });

  test.each([
    ['another item that joins', 428, [holder('i-cleo', 'e-vendor', 'e-pay', 'e-more')]],
    ['another name of the policy', 428, [{ ...WIDE, name: 'Other' }]],
    ['another item in the policy', 428, [{ ...WIDE, conflictingAccessCriteria: sides('e-vendor', 'e-pay') }]],
    ['another name of an item', 200, [{ kind: 'entitlement', id: 'e-pay', name: 'Renamed' }]],
    ['access that the policy does not name', 200, [holder('i-cleo', 'e-vendor', 'e-pay', 'e-report')]],
    ['another description of the policy', 200, [{ ...WIDE, description: 'Other' }]],
  ])('with %s since the request, an approval without If-Match is %i', async (_, status, records) => {
    const { api, ask, move } = await openExceptions();
    await api.importRecords([{ kind: 'entitlement', id: 'e-more', name: 'More' }, WIDE]);
    const { id } = (await ask()).json;
    expect((await api.importRecords(records)).status).toBe(200);
    expect((await move(id, 'approve')).status).toBe(status);
  });

  test('terms that are as they were need no If-Match, whatever was in between', async () => {
    const { api, ask, move } = await openExceptions();
    const { id } = (await ask()).json;
    for (const level of ['LOW', 'CRITICAL'])
      await api.call('PATCH', '/sod-policies/v1/p-1', { body: patchOf('/level', level) });
    expect((await move(id, 'approve')).status).toBe(200);
  });

  test('rights, the state and a missing conflict are told before the missing header', async () => {
    const { api, ada, ask, move, approveSeen } = await openExceptions();
    await api.importRecords([INNOCENT]);
    const asked = await ask();
    expect([asked.json.terms, (await move(asked.json.id, 'approve')).status]).toEqual([null, 409]);
    await api.importRecords([GUILTY]);
    expect((await move(asked.json.id, 'approve', ada)).status).toBe(403);
    expect((await move(asked.json.id, 'approve')).status).toBe(428);
    // An approver may refuse without naming a version.
    const refused = await move(asked.json.id, 'revoke');
    expect(refused.json).toMatchObject({ state: 'REVOKED', terms: null, decisions: [{ action: 'REFUSED' }] });
    expect((await move(asked.json.id, 'approve')).status).toBe(409);
    expect((await approveSeen((await ask()).json.id)).status).toBe(200);
  });

  test('an approved exception keeps its terms, and who decided keeps its name', async () => {
    const { api, bob, ask, get, list, move } = await openExceptions();
    const named = (displayName: string) => ({
      kind: 'identity',
      id: 'i-hal',
      uid: 'hal',
      identityProfile: 'ip-emp',
      displayName,
      capabilities: ['HELPDESK', 'POLICY_ADMIN'],
    });
    await api.importRecords([named('Hal W.')]);
    const { id } = (await ask()).json;
    const approved = await move(id, 'approve');
    await api.importRecords([
      named('Other'),
      { kind: 'entitlement', id: 'e-pay', name: 'Renamed' },
      { ...WORLD[10], description: 'Other' },
    ]);
    expect((await get(id)).text).toBe(approved.text);
    await api.importRecords([{ kind: 'identity', id: 'i-hal', delete: true }, INNOCENT]);
    const { json } = await get(id);
    expect(json).toMatchObject({
      state: 'VOID',
      terms: TERMS,
      decisions: [{ action: 'APPROVED', by: { identityId: 'i-hal', displayName: 'Hal W.' } }],
    });
    expect((await list(null, '', bob)).json).toEqual([json]);
  });

  test('the audit log and the events have what was approved, by whom, and why', async () => {
    const { api, ask, move } = await openExceptions();
    const asked = await ask();
    const { id } = asked.json;
    const comment = 'Agreed with the head of accounting.';
    const approved = await move(id, 'approve', undefined, {}, { comment });
    const revoked = await move(id, 'revoke', undefined, {}, { comment: 'No longer needed.' });
    const filters = encodeURIComponent(`resourceId eq "${id}"`);
    const log = (await api.call('GET', `/audit-events/v1?filters=${filters}`)).json;
    const changesOf = (field: string) =>
      log.map(({ changes }: { changes: readonly { field: string; before: unknown; after: unknown }[] }) =>
        changes.filter((change) => change.field === field).map(({ before, after }) => [before, after]),
      );
    expect(changesOf('terms')).toEqual([[[null, TERMS]], [[null, TERMS]], []]);
    expect(changesOf('decisions')).toEqual([
      [[null, []]],
      [[[], approved.json.decisions]],
      [[approved.json.decisions, revoked.json.decisions]],
    ]);
    const events = await api.call('GET', '/events/v1?types=sod.exception.*', {
      token: await api.clientToken({ identityId: 'i-bob' }),
    });
    expect(events.json.map(({ data }: { data: object }) => data)).toEqual([asked.json, approved.json, revoked.json]);
  });

  test('an item on several sides is shown on each, and of k sides those that are held', async () => {
    const { api, ask } = await openExceptions();
    const side = (name: string, ...ids: readonly string[]) => ({
      name,
      criteriaList: ids.map((each) => ({ type: 'ENTITLEMENT', id: each })),
    });
    const policy = { kind: 'sodPolicy', id: 'p-k', name: 'K of n', level: 'LOW' };
    const criteria = [side('one', 'e-vendor', 'e-pay'), side('two', 'e-pay'), side('three', 'e-report')];
    await api.importRecords([{ ...policy, conflictingAccessCriteria: { criteria, atLeast: 2 } }]);
    const { terms } = (await ask({ policyId: 'p-k' })).json;
    const idsOf = ({ name, criteriaList }: { name: string; criteriaList: readonly { id: string }[] }) => [
      name,
      ...criteriaList.map(({ id }) => id),
    ];
    expect(terms.conflictingAccessCriteria.criteria.map(idsOf)).toEqual([
      ['one', 'e-pay', 'e-vendor'],
      ['two', 'e-pay'],
    ]);
  });
});

describe('at most one exception per policy and identity is live', () => {
  test('another request is refused with the id of the live one and whether the windows overlap', async () => {
    const { api, ask, move } = await openExceptions();
    await api.importRecords([holder('i-eve', 'e-vendor', 'e-pay'), { ...WORLD[10], id: 'p-2' }]);
    const { id } = (await ask()).json;
    const live = (state: string) =>
      `there is a live exception of this policy and identity already: ${id}, ${state}, from ${START} to ${END}`;
    const overlapping = ', and the windows of the two overlap';
    expect(refusalOf(await ask())).toEqual([409, '409.1', live('REQUESTED') + overlapping]);
    const later = { start: END, end: '2027-01-21T00:00:00.000Z' };
    expect(refusalOf(await ask(later))).toEqual([409, '409.1', live('REQUESTED')]);
    expect((await move(id, 'approve')).status).toBe(200);
    expect(refusalOf(await ask())).toEqual([409, '409.1', live('APPROVED') + overlapping]);
    expect((await ask({ identityId: 'i-eve' })).status).toBe(201);
    expect((await ask({ policyId: 'p-2' })).status).toBe(201);
    expect((await move(id, 'revoke')).status).toBe(200);
    expect((await ask()).status).toBe(201);
  });

  test('until it expires, in both live states', async () => {
    const { api, ask, approved, move, stateOf } = await openExceptions();
    const inMinutes = (minutes: number) => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();
    const first = (await ask({ end: inMinutes(3) })).json.id;
    api.clock.nowMs = Date.parse(inMinutes(3)) - 1;
    expect([await stateOf(first), (await ask()).status]).toEqual(['REQUESTED', 409]);
    api.clock.nowMs = Date.parse(inMinutes(3));
    expect(await stateOf(first)).toBe('EXPIRED');
    for (const what of ['approve', 'revoke'] as const) expect((await move(first, what)).status).toBe(409);
    const next = await approved({ end: inMinutes(6) });
    api.clock.nowMs = Date.parse(inMinutes(6));
    expect([await stateOf(first), await stateOf(next)]).toEqual(['EXPIRED', 'EXPIRED']);
    expect((await ask()).status).toBe(201);
  });

  test('also under concurrent requests and approvals', async () => {
    const { ada, bob, hal, ask, move, list } = await openExceptions();
    const asked = await Promise.all(Array.from({ length: 12 }, (_, at) => ask({}, [ada, bob, hal][at % 3])));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([201, ...Array(11).fill(409)]);
    const { id, requesterId } = asked.find(({ status }) => status === 201)?.json ?? {};
    const others = Object.entries({ 'i-ada': ada, 'i-bob': bob, 'i-hal': hal }).filter(([who]) => who !== requesterId);
    const moved = await Promise.all(Array.from({ length: 12 }, (_, at) => move(id, 'approve', others[at % 2]?.[1])));
    expect(moved.map(({ status }) => status).toSorted()).toEqual([200, ...Array(11).fill(409)]);
    const revoked = await Promise.all(Array.from({ length: 6 }, () => move(id, 'revoke')));
    expect(revoked.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(409)]);
    expect((await list()).json).toHaveLength(1);
  });
});
