import { describe, expect, test } from 'vitest';
import { IMPORT_LINE_LENGTH_MAX } from '../limits.ts';
import { parseImportLines as parseWithPauses } from './import-lines.ts';

let pauses = 0;
const parseImportLines = (text: string) =>
  parseWithPauses(text, async () => {
    pauses++;
  });
const line = (record: object) => JSON.stringify(record);
const entitlement = line({ kind: 'entitlement', id: 'e1', name: 'E1' });
const uiMetadata = (fields: object) => line({ kind: 'uiMetadata', id: 'tenant', ...fields });
const LEFT = 'conflictingAccessCriteria.leftCriteria.criteriaList';
const policyWithoutItems = line({
  kind: 'sodPolicy',
  id: 'p',
  name: 'P',
  conflictingAccessCriteria: {
    leftCriteria: { criteriaList: [] },
    rightCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e1' }] },
  },
});

describe('parseImportLines', () => {
  test('numbers lines from 1 and skips blank lines and CRLF', async () => {
    const parsed = await parseImportLines(`\r\n${entitlement}\r\n   \n${entitlement}`);
    expect(parsed).toMatchObject({ ok: true, value: [{ line: 2 }, { line: 4 }] });
  });

  test('an empty import has no records', async () => {
    expect(await parseImportLines('')).toEqual({ ok: true, value: [] });
  });

  test('fills in defaults', async () => {
    const role = await parseImportLines(line({ kind: 'role', id: 'r', name: 'R' }));
    expect(role).toMatchObject({ value: [{ record: { accessProfiles: [], entitlements: [] } }] });
    const identity = await parseImportLines(line({ kind: 'identity', id: 'i', uid: 'ada', identityProfile: 'ip' }));
    expect(identity).toMatchObject({ value: [{ record: { displayName: 'ada', alias: 'ada', email: null } }] });
    expect(identity).not.toHaveProperty('value.0.record.access');
    expect(identity).not.toHaveProperty('value.0.record.capabilities');
  });

  test('converts instants to UTC with milliseconds', async () => {
    const identity = {
      kind: 'identity',
      id: 'i',
      uid: 'a',
      identityProfile: 'p',
      lastUnlockTimestamp: '2026-01-01T01:00:00+01:00',
    };
    expect(await parseImportLines(line(identity))).toMatchObject({
      value: [{ record: { lastUnlockTimestamp: '2026-01-01T00:00:00.000Z' } }],
    });
  });

  test('ignores all but kind and id of a delete', async () => {
    const parsed = await parseImportLines(line({ kind: 'identity', id: 'i', uid: 7, delete: true }));
    expect(parsed).toMatchObject({ value: [{ record: { kind: 'identity', id: 'i', delete: true } }] });
  });

  test('the text null resets a setting', async () => {
    const parsed = await parseImportLines(uiMetadata({ usernameLabel: 'null' }));
    expect(parsed).toMatchObject({ value: [{ record: { usernameLabel: null } }] });
  });

  test('validates lines that later lines replace; the first faulty line gives the type', async () => {
    const lines = [
      policyWithoutItems,
      line({ kind: 'sodPolicy', id: 'p', delete: true }),
      uiMetadata({ usernameLabel: '' }),
    ];
    expect(await parseImportLines(lines.join('\n'))).toMatchObject({
      ok: false,
      failure: { type: 'RequiredMissing', causes: [{ at: `line 1: ${LEFT}` }, { at: 'line 3: usernameLabel' }] },
    });
  });

  test.each([
    ['no JSON', '{', 'MalformedBody', 'line 2'],
    ['a policy without items', policyWithoutItems, 'RequiredMissing', `line 2: ${LEFT}`],
    ['a bad origin', uiMetadata({ iFrameWhitelist: 'a.com *' }), 'IllegalValue', 'line 2: iFrameWhitelist[1]'],
    ['a list', '[]', 'MalformedBody', 'line 2'],
    ['an unknown kind', line({ kind: 'thing', id: 'x' }), 'IllegalValue', 'line 2: kind'],
    ['no kind', line({ id: 'x' }), 'RequiredMissing', 'line 2: kind'],
    [
      'an unknown property',
      line({ kind: 'entitlement', id: 'e', name: 'E', nmae: 1 }),
      'MalformedBody',
      'line 2: nmae',
    ],
    [
      'the property constructor',
      '{"kind":"entitlement","id":"e","name":"E","constructor":1}',
      'MalformedBody',
      'line 2: constructor',
    ],
    [
      'the property __proto__',
      '{"kind":"entitlement","id":"e","name":"E","__proto__":1}',
      'MalformedBody',
      'line 2: __proto__',
    ],
    ['a missing name', line({ kind: 'entitlement', id: 'e' }), 'RequiredMissing', 'line 2: name'],
    ['an empty name', line({ kind: 'entitlement', id: 'e', name: '' }), 'RequiredMissing', 'line 2: name'],
    ['a name of another type', line({ kind: 'entitlement', id: 'e', name: 7 }), 'IllegalValue', 'line 2: name'],
    ['a bad id', line({ kind: 'entitlement', id: 'e/1', name: 'E' }), 'IllegalValue', 'line 2: id'],
    ['the id ..', line({ kind: 'entitlement', id: '..', name: 'E' }), 'IllegalValue', 'line 2: id'],
    [
      'an id of 129 characters',
      line({ kind: 'entitlement', id: 'x'.repeat(129), name: 'E' }),
      'LengthOutOfRange',
      'line 2: id',
    ],
    [
      'an unknown capability',
      line({ kind: 'identity', id: 'i', uid: 'a', identityProfile: 'p', capabilities: ['org_admin'] }),
      'IllegalValue',
      'line 2: capabilities[0]',
    ],
    [
      'a repeated capability',
      line({ kind: 'identity', id: 'i', uid: 'a', identityProfile: 'p', capabilities: ['HELPDESK', 'HELPDESK'] }),
      'IllegalValue',
      'line 2: capabilities[1]',
    ],
    ...['ａｄａ', 'o\ufb03ce', 'ada\u00a0l'].map((uid) => [
      `the uid ${uid}`,
      line({ kind: 'identity', id: 'i', uid, identityProfile: 'p' }),
      'IllegalValue',
      'line 2: uid',
    ]),
    [
      'an unknown access type',
      line({ kind: 'identity', id: 'i', uid: 'a', identityProfile: 'p', access: [{ type: 'GROUP', id: 'g' }] }),
      'IllegalValue',
      'line 2: access[0].type',
    ],
    [
      'an instant without an offset',
      line({ kind: 'identity', id: 'i', uid: 'a', identityProfile: 'p', lastUnlockTimestamp: '2026-01-01T00:00:00' }),
      'IllegalValue',
      'line 2: lastUnlockTimestamp',
    ],
    ...['2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-13-01T00:00:00Z', '9999-12-31T23:59:59-23:59'].map(
      (instant) => [
        `the instant ${instant}`,
        line({ kind: 'identity', id: 'i', uid: 'a', identityProfile: 'p', lastPasswordChangeDate: instant }),
        'IllegalValue',
        'line 2: lastPasswordChangeDate',
      ],
    ),
  ])('rejects %s and names the line', async (_, text, type, at) => {
    expect(await parseImportLines(`${entitlement}\n${text}`)).toMatchObject({
      ok: false,
      failure: { type, causes: [{ at }] },
    });
  });

  test('names all faults of a record, each unknown property among them', async () => {
    const record = { kind: 'identity', id: 'i/1', identityProfile: 7, department: 'Sales', city: 'Jena', email: 5 };
    const parsed = await parseImportLines(`${line(record)}\n${line({ kind: 'role', id: 'r' })}`);
    expect(parsed.ok ? null : parsed.failure.type).toBe('MalformedBody');
    expect(parsed.ok ? [] : parsed.failure.causes.map(({ at }) => at).sort()).toEqual([
      'line 1: city',
      'line 1: department',
      'line 1: email',
      'line 1: id',
      'line 1: identityProfile',
      'line 1: uid',
      'line 2: name',
    ]);
  });

  test('names at most 20 faults of a record', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}`, 1]));
    const parsed = await parseImportLines(line({ kind: 'role', id: 'r', name: 'R', ...unknown }));
    expect(parsed.ok ? [] : parsed.failure.causes).toHaveLength(20);
  });

  test('names the first 20 issues', async () => {
    const parsed = await parseImportLines('{}\n'.repeat(50));
    expect(parsed.ok ? [] : parsed.failure.causes.map((cause) => cause.at)).toHaveLength(20);
  });

  test('rejects a line of more than 1 MiB, and accepts one at the limit', async () => {
    const padded = (length: number) => {
      const empty = line({ kind: 'entitlement', id: 'e', name: 'E', source: null });
      return `${empty.slice(0, -1)}${' '.repeat(length - empty.length)}}`;
    };
    expect(await parseImportLines(padded(IMPORT_LINE_LENGTH_MAX))).toMatchObject({ ok: true });
    const over = await parseImportLines(padded(IMPORT_LINE_LENGTH_MAX + 1));
    expect(over).toMatchObject({ ok: false, failure: { type: 'LimitExceeded', causes: [{ at: 'line 1' }] } });
  });

  test('reports only the first of hundreds of thousands of bad items of a line', async () => {
    const items = (item: string) => `[${`${item},`.repeat(200_000)}${item}]`;
    const profile = (item: string) => `{"kind":"accessProfile","id":"ap","name":"A","entitlements":${items(item)}}`;
    for (const item of ['1', '""']) {
      const parsed = await parseImportLines(profile(item));
      expect(parsed.ok ? [] : parsed.failure.causes.map(({ at }) => at)).toEqual(['line 1: entitlements[0]']);
    }
  });

  test('pauses while it parses a long text', async () => {
    pauses = 0;
    await parseImportLines(`${entitlement}\n`.repeat(10_000));
    expect(pauses).toBeGreaterThan(3);
  });
});
