import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ndjson, openFiles } from './run-here.ts';

const RULES = `policies:
  - id: p-1
    name: Vendor and payment
    level: CRITICAL
    left: [vendor-a, vendor-b]
    right: ["erp:pay-*"]
  - id: p-2
    name: Three
    sides:
      - {name: x, items: [x]}
      - {name: y, items: [y]}
      - {name: z, items: [z]}
    atLeast: 2
  - id: p-3
    name: Admin
    level: LOW
    critical: [admin]
`;

const TESTS = `tests:
  - name: request
    given: {holds: [vendor-a]}
    request: ["erp:pay-run"]
    expect: {violates: [p-1], existing: []}
  - name: other vendor
    given: {holds: [vendor-b, "erp:pay-run"]}
    request: [z]
    expect: {clean: true, existing: [p-1]}
  - name: two of three
    given: {holds: [x, z]}
    expect: {violates: [p-2]}
`;

const MODEL = [
  ...['vendor-a', 'vendor-b', 'erp:pay-run', 'x', 'y', 'z', 'admin'].map((id) => ({
    kind: 'entitlement',
    id,
    name: id,
  })),
  { kind: 'role', id: 'r-1', name: 'R', entitlements: ['x', 'y'] },
  {
    kind: 'identity',
    id: 'i-1',
    uid: 'ada',
    displayName: 'Ada',
    access: [
      { type: 'ENTITLEMENT', id: 'vendor-a' },
      { type: 'ENTITLEMENT', id: 'erp:pay-run' },
    ],
  },
  {
    kind: 'identity',
    id: 'i-2',
    uid: 'bob',
    displayName: 'Bob',
    access: [
      { type: 'ROLE', id: 'r-1' },
      { type: 'ENTITLEMENT', id: 'admin', end: '2027-01-01T00:00:00Z' },
    ],
  },
  { kind: 'identity', id: 'i-3', uid: 'cy', displayName: 'Cy', access: [{ type: 'ENTITLEMENT', id: 'x' }] },
];

describe('test', () => {
  test('runs tests, and tells of coverage and of removals that no test notices', async () => {
    using folder = openFiles({ 'r/rules.yaml': RULES + TESTS });
    const { code, out } = await folder.run('test', './r', '--coverage', '--mutate', '--format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      passed: 3,
      failed: 0,
      coverage: { policies: 3, violated: 2, neverViolated: ['p-3'] },
      // Of p-1 all are noticed: a side of one pattern goes as a whole.
      mutation: {
        mutants: 8,
        noticed: 6,
        notNoticed: [
          { policyId: 'p-2', removed: 'sides[1]' },
          { policyId: 'p-3', removed: 'critical' },
        ],
      },
    });
  });

  test('fails with what was found instead, in every format with its line', async () => {
    using folder = openFiles({ 'r/rules.yaml': `${RULES}${TESTS.replace('violates: [p-2]', 'clean: true')}` });
    const human = await folder.run('test', './r');
    expect(human).toEqual({
      code: 1,
      out: '2 passed, 1 failed\nr/rules.yaml:27:5: TEST_FAILED two of three: expected to be clean, found p-2\n',
      notes: '',
    });
    const sarif = JSON.parse((await folder.run('test', './r', '--format', 'sarif')).out);
    expect(sarif).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'access-admin', version: '1.2.3', rules: [{ id: 'TEST_FAILED' }] } },
          results: [
            {
              ruleId: 'TEST_FAILED',
              level: 'error',
              locations: [{ physicalLocation: { region: { startLine: 27, startColumn: 5 } } }],
            },
          ],
        },
      ],
    });
    expect((await folder.run('test', './r', '--format', 'github')).out).toBe(
      '::error file=r/rules.yaml,line=27,col=5,title=TEST_FAILED::two of three: expected to be clean, found p-2\n',
    );
    const junit = (await folder.run('test', './r', '--format', 'junit')).out;
    expect(junit).toContain('<testsuites name="access-admin test" tests="3" failures="1">');
    expect(junit).toContain('<failure message="expected to be clean, found p-2">');
    expect((await folder.run('test', './r', '--format', 'markdown')).out).toBe(
      '### access-admin test\n\n2 passed, 1 failed\n\n| finding | place | what |\n|---|---|---|\n| TEST\\_FAILED | r/rules.yaml:27 | two of three: expected to be clean, found p-2 |\n',
    );
  });

  test('fails where a file has no test', async () => {
    using folder = openFiles({ 'r/a.yaml': RULES });
    expect(await folder.run('test', './r')).toMatchObject({
      code: 1,
      out: '0 passed, 0 failed\nr/a.yaml:1:1: NO_TEST r/a.yaml has no test\n',
    });
  });

  test.each([
    ['uncovered', 3],
    ['survived:0.75', 0],
    ['survived:0.8', 3],
    ['survived', 3],
    ['everything', 2],
  ])('ends as --fail-on %s asks: %i', async (gate, code) => {
    using folder = openFiles({ 'r/rules.yaml': RULES + TESTS });
    expect((await folder.run('test', './r', '--fail-on', gate)).code).toBe(code);
  });

  test('takes identities and roles of a model, and names what it lacks', async () => {
    const tests = `tests:
  - {name: identity, given: {identity: i-1}, expect: {violates: [p-1]}}
  - {name: its id alone, given: i-2, at: "2028-01-01T00:00:00Z", expect: {violates: [p-2]}}
  - {name: before the end, given: i-2, expect: {violates: [p-2, p-3]}}
  - {name: role, request: [ROLE:r-1], expect: {violates: [p-2]}}
  - {name: missing, given: i-9, expect: {clean: true}}
  - {name: unknown, request: [ROLE:r-9], expect: {clean: true}}
`;
    using folder = openFiles({ 'r/rules.yaml': RULES + tests, 'm.ndjson': ndjson(MODEL) });
    const { code, out } = await folder.run('test', './r', '--model', './m.ndjson');
    expect([code, out]).toEqual([
      1,
      [
        '4 passed, 2 failed',
        'r/rules.yaml:23:5: TEST_FAILED missing: there is no identity i-9 in the model',
        'r/rules.yaml:24:5: TEST_FAILED unknown: accessRefs[0]: there is no ROLE r-9',
        '',
      ].join('\n'),
    ]);
    const without = await folder.run('test', './r');
    expect(without.out).toContain('identity: the identity i-1 needs a model: --model model.ndjson');
  });
});

describe('lint', () => {
  const DEFECTS = `${RULES}  - id: p-4
    name: Narrower
    left: [vendor-a]
    right: ["erp:pay-run"]
  - id: p-5
    name: Nobody
    left: [nothing]
    right: ["no-*"]
`;

  test('names defects with file and line, on a model all of them', async () => {
    using folder = openFiles({ 'r/rules.yaml': DEFECTS, 'm.ndjson': ndjson(MODEL) });
    const { code, out } = await folder.run('lint', './r', '--model', './m.ndjson', '--format', 'json');
    expect(code).toBe(3);
    const { findings } = JSON.parse(out);
    expect(
      findings.map(({ code: name, policyId, line }: { code: string; policyId: string; line: number }) => [
        name,
        policyId,
        line,
      ]),
    ).toEqual([
      ['DELETED_ITEM', 'p-5', 24],
      ['DELETED_ITEM', 'p-5', 25],
      ['SELF_VIOLATING_ROLE', 'p-2', 7],
      ['SUBSUMED_POLICY', 'p-4', 18],
      ['UNMATCHABLE_POLICY', 'p-5', 22],
    ]);
    expect(findings[1].text).toBe('Policy p-5: no entitlement of the model matches no-*.');
    expect((await folder.run('lint', './r', '--model', './m.ndjson', '--fail-on', 'never')).code).toBe(0);
  });

  test('without a model tells what the files allow, and fails on warnings only where asked', async () => {
    using folder = openFiles({
      'r/rules.yaml': RULES.replace('["erp:pay-*"]', '["erp:pay-run"]') + DEFECTS.slice(RULES.length),
    });
    const { code, out } = await folder.run('lint', './r');
    expect([code, out]).toEqual([
      0,
      '5 policies: 0 errors, 1 warning\nr/rules.yaml:18:5: warning SUBSUMED_POLICY Every identity that violates policy p-4 also violates policy p-1.\n',
    ]);
    expect((await folder.run('lint', './r', '--fail-on', 'warning')).code).toBe(3);
  });
});

describe('scan --local and diff --local', () => {
  test('scan names who violates what, the summary first', async () => {
    using folder = openFiles({ 'r/rules.yaml': RULES, 'm.ndjson': ndjson(MODEL) });
    const { code, out } = await folder.run('scan', '--local', './m.ndjson', './r');
    expect([code, out]).toEqual([
      0,
      [
        '3 identities, 2 of them with violations: 3 violations of 3 policies',
        '',
        'level     policy  name                violations',
        'CRITICAL  p-1     Vendor and payment  1',
        'HIGH      p-2     Three               1',
        'LOW       p-3     Admin               1',
        '',
        'name  identity  policy  holds',
        'Ada   i-1       p-1     vendor-a + erp:pay-run',
        'Bob   i-2       p-2     x + y',
        'Bob   i-2       p-3     admin',
        '',
      ].join('\n'),
    ]);
    const json = JSON.parse((await folder.run('scan', '--local', './m.ndjson', './r', '--format', 'json')).out);
    expect(json).toMatchObject({
      identities: 3,
      violating: 2,
      summary: { same: 3 },
      violations: [{ identityId: 'i-1', policyId: 'p-1' }, {}, {}],
    });
    const later = await folder.run(
      'scan',
      '--local',
      './m.ndjson',
      './r',
      '--at',
      '2028-01-01T00:00:00Z',
      '--fail-on',
      'any:LOW',
    );
    expect([later.code, later.out.split('\n')[0]]).toEqual([
      3,
      '3 identities, 2 of them with violations: 2 violations of 2 policies',
    ]);
    expect((await folder.run('scan', '--local', './m.ndjson', './r', '--fail-on', 'any:CRITICAL')).code).toBe(3);
  });

  test('a model with identities before entitlements is read a second time', async () => {
    using folder = openFiles({ 'r/rules.yaml': RULES, 'm.ndjson': ndjson(MODEL.toReversed()) });
    expect((await folder.run('scan', '--local', './m.ndjson', './r')).out).toContain('3 violations of 3 policies');
  });

  test('any number of identities may come before the role that they hold', async () => {
    const role = { kind: 'role', id: 'r-late', name: 'Late', accessProfiles: [], entitlements: ['admin'] };
    // Longer than the pieces in which a file is read.
    const people = Array.from({ length: 150 }, (_, number) => ({
      kind: 'identity',
      id: `late-${number}`,
      displayName: 'x'.repeat(20_000),
      access: [{ type: 'ROLE', id: 'r-late' }],
    }));
    using folder = openFiles({ 'r/rules.yaml': RULES, 'm.ndjson': ndjson([...MODEL, ...people, role]) });
    const { code, out, notes } = await folder.run('scan', '--local', './m.ndjson', './r');
    expect([code, notes, out.split('\n')[0]]).toEqual([
      0,
      '',
      '153 identities, 152 of them with violations: 153 violations of 3 policies',
    ]);
  });

  test('each faulty line of a model is named', async () => {
    const lines = [
      ...MODEL.map((record) => JSON.stringify(record)),
      '{"kind":"identity"',
      '{"kind":"person","id":"x"}',
      '',
      '{"kind":"identity","id":"i-8","access":[{"type":"ROLE","id":7}]}',
    ];
    using folder = openFiles({
      'r/rules.yaml': RULES,
      'm.ndjson': lines.join('\n'),
      'u.ndjson': ndjson([{ kind: 'identity', id: 'i', access: [{ type: 'ROLE', id: 'r-9' }] }]),
    });
    const { code, notes } = await folder.run('scan', '--local', './m.ndjson', './r');
    expect([code, notes.split('\n').map((line) => line.slice(0, 40))]).toEqual([
      1,
      [
        "m.ndjson:12:19: not JSON: Expected ',' o",
        'm.ndjson:13:1: kind: must be entitlement',
        'm.ndjson:15:1: access[0]: id must be a t',
        '',
      ],
    ]);
    expect((await folder.run('scan', '--local', './u.ndjson', './r')).notes).toBe(
      'u.ndjson:1:1: accessRefs[0]: there is no ROLE r-9\n',
    );
  });

  test('diff names what is new, the same and gone, of the policies that differ', async () => {
    const changed = RULES.replace('atLeast: 2', 'atLeast: 3').replace('critical: [admin]', 'critical: [admin, x]');
    using folder = openFiles({ 'old/rules.yaml': RULES, 'new/rules.yaml': changed, 'm.ndjson': ndjson(MODEL) });
    const args = ['diff', '--local', './m.ndjson', './old', './new'];
    expect((await folder.run(...args)).out).toBe(
      [
        'policies: 0 added, 2 changed, 0 removed; violations: 1 new, 1 same, 1 gone',
        '',
        'level  policy  name   new  same  gone',
        'HIGH   p-2     Three  0    0     1',
        'LOW    p-3     Admin  1    1     0',
        '',
        'change  name  identity  policy  holds',
        'new     Cy    i-3       p-3     x',
        'gone    Bob   i-2       p-2     x + y',
        'same    Bob   i-2       p-3     admin, x',
        '',
      ].join('\n'),
    );
    expect((await folder.run(...args, '--fail-on', 'new')).code).toBe(3);
    expect((await folder.run(...args, '--fail-on', 'new:HIGH')).code).toBe(0);
    expect((await folder.run(...args, '--fail-on', 'gone')).code).toBe(2);
  });
});

test('lint --baseline leaves out what is known, wherever it now is, and tells what is new', async () => {
  const policy = (id: string, items: string) => `  - {id: ${id}, name: ${id}, left: [a], right: [${items}]}\n`;
  using folder = openFiles({
    'r/a.yaml': `policies:\n${policy('p-1', 'b')}${policy('p-2', 'b')}`,
    'next/a.yaml': `policies:\n${policy('p-3', 'b')}${policy('p-1', 'b')}${policy('p-2', 'b')}`,
    'clean/a.yaml': `policies:\n${policy('p-1', 'b')}`,
    'other.json': '{"findings": [{"code": 1}]}',
  });
  const { out } = await folder.run('lint', './r', '--format', 'json');
  expect(JSON.parse(out).findings).toMatchObject([{ code: 'DUPLICATE_POLICY', policyId: 'p-2' }]);
  writeFileSync(join(folder.path, 'baseline.json'), out);
  const lint = (rulebook: string) =>
    folder.run('lint', rulebook, '--baseline', './baseline.json', '--fail-on', 'warning');
  expect(await lint('./r')).toEqual({
    code: 0,
    out: '2 policies: 0 errors, 0 warnings\n',
    notes: 'baseline: 1 finding left out, 0 no longer found\n',
  });
  expect(await lint('./next')).toMatchObject({
    code: 3,
    out: expect.stringMatching(
      /^3 policies: 0 errors, 1 warning\nnext\/a.yaml:2:\d+: warning DUPLICATE_POLICY Policy p-3 /,
    ),
  });
  expect(await lint('./clean')).toMatchObject({
    code: 0,
    notes: 'baseline: 0 findings left out, 1 no longer found\n',
  });
  expect(await folder.run('lint', './r', '--baseline', './other.json')).toMatchObject({
    code: 1,
    notes: expect.stringContaining('other.json: not the result of `access-admin lint --format json`: findings.0.code'),
  });
});

test('init writes a rulebook that is formatted, lint clean, and wholly tested', async () => {
  using folder = openFiles({});
  const { out } = await folder.run('init', './new');
  expect(out).toBe('new/rulebook/finance.yaml\nnew/rulebook.schema.json\nnew/.github/workflows/rulebook.yaml\n');
  expect(await folder.run('fmt', '--check', './new/rulebook')).toMatchObject({ code: 0 });
  expect(await folder.run('lint', './new/rulebook', '--fail-on', 'warning')).toMatchObject({ code: 0 });
  expect(await folder.run('test', './new/rulebook', '--fail-on', 'survived:1')).toMatchObject({ code: 0 });
  expect(await folder.run('test', './new/rulebook', '--fail-on', 'uncovered')).toMatchObject({ code: 0 });
  expect(await folder.run('init', './new')).toMatchObject({ code: 1 });
});

test('no format lets data control a terminal, a log, a comment or a document', async () => {
  const name = '\u001b[31mx\u001b[0m\r\n::error::y\u009b\u202e\ud800 &#64;z';
  using folder = openFiles({
    'r/a.yaml': `policies:\n  - {id: p, name: ${JSON.stringify(name.replaceAll(/[\u202e\ud800]/g, ''))}, critical: [e]}\ntests:\n  - {name: ${JSON.stringify(name)}, request: [e], expect: {clean: true}}\n`,
    'm.ndjson': ndjson([
      { kind: 'entitlement', id: 'e', name: 'E' },
      { kind: 'identity', id: 'i', displayName: name, access: [{ type: 'ENTITLEMENT', id: 'e' }] },
    ]),
  });
  for (const args of [
    ['test', './r'],
    ['scan', '--local', './m.ndjson', './r'],
  ])
    for (const format of ['human', 'junit', 'sarif', 'github', 'markdown']) {
      const { out } = await folder.run(...args, '--format', format);
      expect(out).not.toMatch(/[^\P{Cc}\n]/u);
      expect(out).toContain(format === 'markdown' ? 'u001b\\[31mx' : 'u001b[31mx');
      expect(out).not.toMatch(/^::error::y/m);
      expect(out).not.toContain('\u202e');
      if (format === 'junit') expect(out).not.toMatch(/\p{Surrogate}/u);
      if (format === 'markdown') expect(out).not.toMatch(/[^\\]&#64;/);
      if (format === 'sarif') expect(JSON.parse(out).runs[0].results[0].message.text).toContain('\\u001b');
    }
});
