import { describe, expect, test } from 'vitest';
import {
  gather,
  identityRecord,
  kOfNRecord,
  linesOf,
  policyRecord,
  type World,
  worldOf,
} from '../../test/import-world.ts';
import { APPLICATION, entitlement, NOW, planOf, remove, SMALL_WORLD } from '../../test/small-world.ts';
import { planImportInPieces } from './plan.ts';
import type { AccessModelRecord } from './records.ts';

/** The counts of the kinds that have any, as `created/updated/deleted`, with `+unchanged` where some are. */
const countsOf = (records: readonly AccessModelRecord[], world?: World) =>
  Object.fromEntries(
    Object.entries(planOf(records, world).counts)
      .map(([kind, { created, updated, deleted, unchanged }]) => [
        kind,
        `${created}/${updated}/${deleted}${unchanged === 0 ? '' : `+${unchanged}`}`,
      ])
      .filter(([, counts]) => counts !== '0/0/0'),
  );

test('a plan is made in pieces of a record at most, so that others are served in between', () => {
  const records = linesOf(...Array.from({ length: 100 }, (_, at) => entitlement(`e-${at}`)));
  const base = gather(SMALL_WORLD, records, null);
  const pieces = planImportInPieces({ records, base, caller: APPLICATION, now: NOW });
  let count = 0;
  for (let piece = pieces.next(); !piece.done; piece = pieces.next()) count++;
  // Validating alone looks at each record several times.
  expect(count).toBeGreaterThan(5 * records.length);
});

test('an empty import changes nothing and counts all kinds', () => {
  const none = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  expect(planOf([])).toEqual({
    upserts: {
      entitlement: [],
      accessProfile: [],
      role: [],
      identityProfile: [],
      source: [],
      identity: [],
      account: [],
      sodPolicy: [],
      control: [],
    },
    deletes: {
      entitlement: [],
      accessProfile: [],
      role: [],
      identityProfile: [],
      source: [],
      identity: [],
      account: [],
      sodPolicy: [],
      control: [],
    },
    uiMetadata: null,
    branding: null,
    signIn: {},
    rulebookChanged: false,
    counts: {
      entitlement: none,
      accessProfile: none,
      role: none,
      identityProfile: none,
      source: none,
      identity: none,
      account: none,
      sodPolicy: none,
      control: none,
      uiMetadata: none,
      branding: none,
      lockoutConfig: none,
      sessionConfig: none,
      networkConfig: none,
    },
    focus: null,
    warnings: [],
    repeated: [],
  });
});

describe('counts', () => {
  test.each<[string, AccessModelRecord[], Record<string, string>]>([
    ['a new record is created', [entitlement('e-9')], { entitlement: '1/0/0' }],
    ['a stored record is updated', [entitlement('e-1', 'New')], { entitlement: '0/1/0' }],
    ['an unchanged record counts as unchanged', [entitlement('e-1')], { entitlement: '0/0/0+1' }],
    [
      'unset UI metadata that stays unset is unchanged',
      [{ kind: 'uiMetadata', id: 'tenant' }],
      { uiMetadata: '0/0/0+1' },
    ],
    ['a stored record is deleted', [remove('sodPolicy', 'p-1')], { sodPolicy: '0/0/1' }],
    ['deleting a missing record counts 0', [remove('role', 'r-9')], {}],
    [
      'repeated upserts count once',
      [entitlement('e-9'), entitlement('e-9'), entitlement('e-9')],
      { entitlement: '1/0/0' },
    ],
    ['upsert and delete of a missing record count 0', [entitlement('e-9'), remove('entitlement', 'e-9')], {}],
    [
      'delete and upsert of a missing record count as created',
      [remove('entitlement', 'e-9'), entitlement('e-9')],
      { entitlement: '1/0/0' },
    ],
    [
      'delete and upsert of a stored record count as updated',
      [remove('role', 'r-1'), { kind: 'role', id: 'r-1', name: 'R', accessProfiles: [], entitlements: [] }],
      { role: '0/1/0' },
    ],
    [
      'upsert and delete of a stored record count as deleted',
      [policyRecord('p-1', ['e-1'], ['e-3']), remove('sodPolicy', 'p-1')],
      { sodPolicy: '0/0/1' },
    ],
    [
      'kinds are counted separately',
      [entitlement('x'), { kind: 'accessProfile', id: 'x', name: 'X', entitlements: ['x'] }, remove('role', 'x')],
      { entitlement: '1/0/0', accessProfile: '1/0/0' },
    ],
    [
      'ids that are names of object members',
      [entitlement('constructor'), entitlement('__proto__')],
      { entitlement: '2/0/0' },
    ],
  ])('%s', (_, records, counts) => {
    expect(countsOf(records)).toEqual(counts);
  });
});

describe('the rulebook changes by', () => {
  test.each<[string, AccessModelRecord, boolean]>([
    ['a new entitlement', entitlement('e-9'), true],
    ['a renamed entitlement', entitlement('e-1', 'New'), true],
    ['a policy removed', remove('sodPolicy', 'p-1'), true],
    ['a policy no longer enforced', { ...policyRecord('p-1', ['e-1'], ['e-2']), state: 'NOT_ENFORCED' }, true],
    ['a new role', { kind: 'role', id: 'r-9', name: 'R', accessProfiles: [], entitlements: [] }, true],
    ['another access profile', { kind: 'accessProfile', id: 'ap-1', name: 'AP', entitlements: [] }, true],
    ['not by an identity', identityRecord('i-9'), false],
    ['not by the access of an identity', identityRecord('i-1', { access: [] }), false],
    ['not by an identity removed', remove('identity', 'i-2'), false],
    ['not by an identity profile', { kind: 'identityProfile', id: 'ip-1', name: 'New' }, false],
    ['not by UI metadata', { kind: 'uiMetadata', id: 'tenant', usernameLabel: 'L' }, false],
    ['not by deleting a missing record', remove('entitlement', 'e-9'), false],
  ])('%s', (_, record, changed) => {
    expect(planOf([record]).rulebookChanged).toBe(changed);
  });
});

describe('UI metadata', () => {
  const SET = { iFrameWhitelist: 'a.com', usernameLabel: 'L', usernameEmptyText: null };
  const label = (usernameLabel: string | null) => ({ kind: 'uiMetadata', id: 'tenant', usernameLabel }) as const;

  test.each<[string, AccessModelRecord[], boolean, unknown, string | undefined]>([
    [
      'set for the first time',
      [label('X')],
      false,
      { iFrameWhitelist: null, usernameLabel: 'X', usernameEmptyText: null },
      '1/0/0',
    ],
    [
      'replaced: properties left out are reset',
      [label('X')],
      true,
      { iFrameWhitelist: null, usernameLabel: 'X', usernameEmptyText: null },
      '0/1/0',
    ],
    ['unchanged: not written', [{ kind: 'uiMetadata', id: 'tenant', ...SET }], true, null, '0/0/0+1'],
    [
      'deleted',
      [remove('uiMetadata', 'tenant')],
      true,
      { iFrameWhitelist: null, usernameLabel: null, usernameEmptyText: null },
      '0/0/1',
    ],
    ['deleted when not set', [remove('uiMetadata', 'tenant')], false, null, undefined],
    ['deleted under another id', [remove('uiMetadata', 'other')], true, null, undefined],
    ['the last record counts', [label('X'), remove('uiMetadata', 'tenant')], false, null, undefined],
  ])('%s', (_, records, isSet, uiMetadata, counts) => {
    const world = worldOf({}, isSet ? SET : undefined);
    expect(planOf(records, world).uiMetadata).toEqual(uiMetadata);
    expect(countsOf(records, world)).toEqual(counts === undefined ? {} : { uiMetadata: counts });
  });
});

describe('the focus of lint has', () => {
  const role = { kind: 'role', id: 'r-9', name: 'R', accessProfiles: [], entitlements: [] } as const;
  const profile = { kind: 'accessProfile', id: 'ap-9', name: 'AP', entitlements: [] } as const;
  const focusOf = (records: readonly AccessModelRecord[]) => {
    const { focus } = planOf(records);
    return focus === null ? null : Object.values(focus).flatMap((ids: ReadonlySet<string>) => [...ids]);
  };

  test.each<[string, AccessModelRecord[], string[] | null]>([
    ['upserted records', [role, profile, policyRecord('p-9', ['e-1'], ['e-2'])], ['p-9', 'ap-9', 'r-9']],
    ['unchanged records', [policyRecord('p-1', ['e-1'], ['e-2'])], ['p-1']],
    ['deleted entitlements, stored or not', [remove('entitlement', 'e-9')], ['e-9']],
    ['the last line of an id', [role, remove('role', 'r-9'), remove('role', 'r-8'), { ...role, id: 'r-8' }], ['r-8']],
    ['nothing for upserts of other kinds', [entitlement('e-9'), identityRecord('i-9')], null],
    ['nothing for deletes of other kinds', [remove('sodPolicy', 'p-1'), remove('identity', 'i-2')], null],
  ])('%s', (_, records, expected) => {
    expect(focusOf(records)).toEqual(expected);
  });
});

describe('warnings', () => {
  const warned = (records: readonly AccessModelRecord[]) =>
    planOf(records).warnings.map(({ policyId, ref }) => `${policyId} ${ref?.id}`);

  test('name items that do not exist at the end', () => {
    expect(planOf([policyRecord('p-9', ['e-9'], ['e-1'])]).warnings).toEqual([
      {
        code: 'UNKNOWN_ITEM',
        severity: 'WARNING',
        policyId: 'p-9',
        ref: { type: 'ENTITLEMENT', id: 'e-9' },
        related: [],
        text: expect.stringContaining('e-9'),
      },
    ]);
  });

  test.each<[string, AccessModelRecord[], string[]]>([
    [
      'sorted by policy and item',
      [policyRecord('p-b', ['z'], ['a']), policyRecord('p-a', ['m'], ['B'])],
      ['p-a B', 'p-a m', 'p-b a', 'p-b z'],
    ],
    [
      'once for an item on several sides',
      [kOfNRecord('p-9', 2, [['e-9', 'e-1'], ['e-8'], ['e-9']])],
      ['p-9 e-8', 'p-9 e-9'],
    ],
    ['not for an item that a later line creates', [policyRecord('p-9', ['e-9'], ['e-1']), entitlement('e-9')], []],
    [
      'for an item that a later line deletes',
      [policyRecord('p-9', ['e-9'], ['e-1']), remove('entitlement', 'e-9')],
      ['p-9 e-9'],
    ],
    [
      'not for a policy that a later line deletes',
      [policyRecord('p-9', ['e-9'], ['e-1']), remove('sodPolicy', 'p-9')],
      [],
    ],
  ])('%s', (_, records, expected) => {
    expect(warned(records)).toEqual(expected);
  });

  test('are at most 100', () => {
    const ids = (prefix: string) => Array.from({ length: 50 }, (_, index) => `${prefix}-${index}`);
    expect(warned([policyRecord('p-8', ids('x'), ids('y')), policyRecord('p-9', ids('x'), ids('y'))])).toHaveLength(
      100,
    );
  });
});

describe('lines that give the same record', () => {
  const repeatedBy = (records: readonly AccessModelRecord[]) => planOf(records).repeated;

  test('are named, and the last counts', () => {
    expect(repeatedBy([entitlement('e-9'), entitlement('e-8'), remove('entitlement', 'e-9')])).toEqual([
      {
        code: 'REPEATED_RECORD',
        severity: 'WARNING',
        policyId: null,
        ref: { type: 'ENTITLEMENT', id: 'e-9' },
        related: [],
        text: 'Lines 1, 3 give the same entitlement e-9: only line 3, the last, counts.',
      },
    ]);
  });

  test.each<[string, AccessModelRecord[], (string | null)[]]>([
    [
      'not for one id of two kinds',
      [entitlement('x'), { kind: 'accessProfile', id: 'x', name: 'X', entitlements: [] }],
      [],
    ],
    ['equal lines too', [entitlement('e-1'), entitlement('e-1')], ['e-1']],
    ['by their first lines', [entitlement('b'), entitlement('a'), entitlement('a'), entitlement('b')], ['b', 'a']],
  ])('%s', (_, records, ids) => {
    expect(repeatedBy(records).map(({ ref }) => ref.id)).toEqual(ids);
  });

  test('of a policy have its id', () => {
    const line = policyRecord('p-9', ['e-1'], ['e-2']);
    expect(repeatedBy([line, line])).toMatchObject([{ policyId: 'p-9', ref: { type: 'SOD_POLICY', id: 'p-9' } }]);
    expect(repeatedBy([line, line, line, line])).toMatchObject([
      { policyId: 'p-9', text: 'Lines 1, 2, 3, 4 give the same sodPolicy p-9: only line 4, the last, counts.' },
    ]);
  });

  test('are at most 20, and the last says how many there are more', () => {
    const twice = Array.from({ length: 23 }, (_, at) => [entitlement(`x-${at}`), entitlement(`x-${at}`)]).flat();
    const repeated = repeatedBy(twice);
    expect(repeated).toHaveLength(20);
    expect(repeated.at(-1)?.text).toBe(
      'Lines 39, 40 give the same entitlement x-19: only line 40, the last, counts. The import repeats 3 more records.',
    );
    const often = Array.from({ length: 8 }, () => entitlement('e-9'));
    expect(repeatedBy(often)[0]?.text).toContain('Lines 1, 2, 3, 4, 5 and 3 more give');
  });
});
