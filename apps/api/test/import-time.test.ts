import { describe, expect, test } from 'vitest';
import { openTestApi } from './test-api.ts';

const IMPORT = '/access-model/v1/import';

const entitlements = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ kind: 'entitlement', id: `e-${at}`, name: `Entitlement ${at}` }));

describe('an import that takes longer than a request may', () => {
  test.each([
    // A clock that moves at each look at it reaches the deadline while the lines are parsed, or later while they are validated.
    ['while its lines are parsed', { count: 20_000, msPerLook: 4_000 }],
    ['while its records are validated', { count: 1_500, msPerLook: 40 }],
  ])('ends %s, without an effect', async (_, { count, msPerLook }) => {
    const { call, importRecords, clock } = await openTestApi();
    let nowMs = clock.nowMs;
    await call('GET', '/entitlements/v1');
    Object.defineProperty(clock, 'nowMs', { configurable: true, get: () => (nowMs += msPerLook) });
    const late = await importRecords(entitlements(count));
    expect([late.status, late.json.detailCode, JSON.stringify(late.json.causes)]).toEqual([
      503,
      '503',
      expect.stringContaining('30'),
    ]);
    Object.defineProperty(clock, 'nowMs', { value: nowMs, writable: true });
    const after = await call('GET', '/entitlements/v1?count=true');
    expect([after.json, after.headers.get('x-total-count')]).toEqual([[], '0']);
    expect((await importRecords(entitlements(3))).json.counts.entitlement.created).toBe(3);
  });
});

describe('settings that an import gives several times', () => {
  const logo = (text: string) => `data:image/png;base64,${text}`;
  const branding = (fields: object) => ({ kind: 'branding', id: 'tenant', ...fields });

  test.each([
    ['branding', branding({ logo: logo('AAAA') }), branding({ title: 'Last' })],
    [
      'uiMetadata',
      { kind: 'uiMetadata', id: 'tenant', usernameLabel: '' },
      { kind: 'uiMetadata', id: 'tenant', usernameLabel: 'Last' },
    ],
    [
      'networkConfig',
      { kind: 'networkConfig', id: 'tenant', range: ['x'] },
      { kind: 'networkConfig', id: 'tenant', range: ['10.0.0.0/8'] },
    ],
    [
      'lockoutConfig',
      { kind: 'lockoutConfig', id: 'tenant', maximumAttempts: 99 },
      { kind: 'lockoutConfig', id: 'tenant', maximumAttempts: 3 },
    ],
    [
      'sessionConfig',
      { kind: 'sessionConfig', id: 'tenant', maxIdleTime: 0 },
      { kind: 'sessionConfig', id: 'tenant', maxIdleTime: 5 },
    ],
  ] as const)('are those of the last line, and each line is validated: %s', async (kind, illegal, legal) => {
    const { importRecords } = await openTestApi();
    const taken = await importRecords([legal, legal]);
    expect([taken.status, taken.json.counts?.[kind].created]).toEqual([200, 1]);
    for (const [records, line] of [
      [[illegal, legal], 1],
      [[legal, illegal], 2],
      [[illegal, { kind, id: 'tenant', delete: true }], 1],
    ] as const) {
      const refused = await importRecords([...records]);
      expect([refused.status, refused.json.causes[0].text]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^line ${line}: `)),
      ]);
    }
  });

  test('are refused by their lines where they are large', async () => {
    const { call } = await openTestApi();
    const line = `${JSON.stringify(branding({ logo: logo('A'.repeat(900_000)) }))}\n`;
    const body = line.repeat(16) + JSON.stringify(branding({ title: 'Last' }));
    const refused = await call('POST', IMPORT, { body, headers: { 'content-type': 'application/x-ndjson' } });
    expect([refused.status, refused.json.causes.length]).toEqual([400, 16]);
  });
});
