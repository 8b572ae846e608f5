import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@access-admin/harness';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { loadRulebook } from '../src/rulebook/load.ts';
import type { WrittenPolicy } from '../src/rulebook/schema.ts';
import { ndjson, openFiles } from './run-here.ts';

const OPEN = join(ROOT, 'rulebooks/open');
const RULEBOOK = join(OPEN, 'rulebook');
const FUNCTIONS = join(OPEN, 'functions.csv');
const PAGE = readFileSync(join(ROOT, 'docs/guides/open-rulebook.md'), 'utf8');
const COMPANY = join(OPEN, 'clean-company');

/** The sections, which are files of policies, and how many rules each has at least. */
const SECTIONS: Readonly<Record<string, number>> = {
  'procure-to-pay': 15,
  'order-to-cash': 15,
  'record-to-report': 14,
  'payroll-and-human-resources': 15,
  treasury: 12,
  'assets-and-inventory': 12,
  'it-and-cloud-administration': 30,
  'critical-access': 15,
  'whole-processes': 6,
};
const FINANCE = ['procure-to-pay', 'order-to-cash', 'record-to-report'];

const tableOf = (path: string): readonly Readonly<Record<string, string>>[] =>
  parse(readFileSync(path, 'utf8'), { columns: true });
const columnOf = (path: string, column: string) => new Set(tableOf(path).flatMap((row) => row[column] ?? []));

const rulebook = loadRulebook(RULEBOOK);
const policies = rulebook.policies.map(({ policy }) => policy);
const rulesOf = (section: string) => loadRulebook(join(RULEBOOK, 'policies', `${section}.yaml`)).policies;
const functionsOf = (policy: WrittenPolicy): readonly string[] => {
  if ('critical' in policy) return policy.critical;
  return 'sides' in policy ? policy.sides.flatMap(({ items }) => items) : [...policy.left, ...policy.right];
};
const used = new Set(policies.flatMap(functionsOf));
const critical = new Set(policies.flatMap((policy) => ('critical' in policy ? policy.critical : [])));

describe('the open rulebook', () => {
  test('has its sections as files, each with as many rules as promised', () => {
    const files = readdirSync(join(RULEBOOK, 'policies')).map((name) => name.replace('.yaml', ''));
    expect(files.toSorted()).toEqual(Object.keys(SECTIONS).toSorted());
    for (const [section, least] of Object.entries(SECTIONS))
      expect([section, rulesOf(section).length]).toEqual([section, expect.toSatisfy((count) => count >= least)]);
    expect(FINANCE.flatMap(rulesOf).length).toBeGreaterThanOrEqual(45);
    expect(policies.length).toBeGreaterThanOrEqual(135);
    expect(new Set(policies.map(({ id }) => id)).size).toBe(policies.length);
    expect(new Set(policies.map(({ name }) => name)).size).toBe(policies.length);
  });

  test('has the counts that its page shows', () => {
    const shown = [...PAGE.matchAll(/^\| `([a-z-]+)` \| (\d+) \|/gm)].map(([, section, count]) => [
      section,
      Number(count),
    ]);
    expect(shown).toEqual(Object.keys(SECTIONS).map((section) => [section, rulesOf(section).length]));
    expect(PAGE).toContain(`${policies.length} rules`);
    expect(PAGE).toContain(`${columnOf(FUNCTIONS, 'id').size} functions`);
  });

  test.each(Object.keys(SECTIONS))('says of each rule of %s the risk, the way out and where it is from', (section) => {
    for (const { policy } of rulesOf(section)) {
      const { id, level, description = '', advice = '', controls = '', tags = [] } = policy;
      expect([id, level]).toEqual([id, expect.stringMatching(/^(CRITICAL|HIGH|MEDIUM|LOW)$/)]);
      // One sentence.
      expect([id, description]).toEqual([id, expect.stringMatching(/^[A-Z][^.]{20,}\.$/)]);
      for (const text of [advice, controls]) expect([id, text]).toEqual([id, expect.stringMatching(/^[A-Z].+\.$/)]);
      expect([id, tags.filter((tag) => tag.startsWith('source:'))]).toEqual([
        id,
        [expect.stringMatching(/^source:(common-practice|FISCAM-2009:(AC-[1-5]|AS-4|BP-4|CM-[3-6]|CP-2|SD-1\.1))$/)],
      ]);
      expect([id, tags]).toEqual([id, expect.arrayContaining([section])]);
    }
  });

  test('has one form in each of the last two sections', () => {
    expect(rulesOf('critical-access').filter(({ policy }) => !('critical' in policy))).toEqual([]);
    const whole = rulesOf('whole-processes').map(({ policy }) => policy);
    expect(whole.filter((policy) => !('atLeast' in policy) || policy.atLeast >= policy.sides.length)).toEqual([]);
  });

  test('speaks of functions that exist, and of all of them', () => {
    expect([...used].toSorted()).toEqual([...columnOf(FUNCTIONS, 'id')].toSorted());
  });

  test('names each conflict once', () => {
    const pairs = policies.flatMap((policy) =>
      'left' in policy ? policy.left.flatMap((one) => policy.right.map((other) => [one, other].toSorted().join())) : [],
    );
    const known = new Set(pairs);
    expect(known.size).toBe(pairs.length);
    const others = policies.filter((policy) => !('critical' in policy)).flatMap(functionsOf);
    expect(others.filter((id) => critical.has(id))).toEqual([]);
    // Steps of a whole process that are a conflict by themselves would be found twice.
    const steps = policies.flatMap((policy) => ('sides' in policy ? [functionsOf(policy)] : []));
    const within = steps.flatMap((ids) => ids.flatMap((one) => ids.map((other) => [one, other].join())));
    expect(within.filter((pair) => known.has(pair))).toEqual([]);
  });

  test('is formatted, without findings, and tested so that each removal is noticed', async () => {
    using folder = openFiles({});
    expect(await folder.run('fmt', RULEBOOK, '--check')).toMatchObject({ code: 0, out: '' });
    expect(await folder.run('lint', RULEBOOK, '--fail-on', 'warning')).toMatchObject({ code: 0 });
    expect(await folder.run('test', RULEBOOK, '--fail-on', 'uncovered')).toMatchObject({ code: 0 });
    expect(await folder.run('test', RULEBOOK, '--mutate', '--fail-on', 'survived:0.95')).toMatchObject({ code: 0 });
  });
});

const companyModel = readFileSync(join(COMPANY, 'model.ndjson'), 'utf8');

describe('the clean company', () => {
  test('is what the command makes of its tables', async () => {
    using folder = openFiles({});
    const tables = ['users', 'roles', 'assignments'].flatMap((name) => [`--${name}`, join(COMPANY, `${name}.csv`)]);
    const { code, out } = await folder.run('convert', 'csv', '--entitlements', FUNCTIONS, ...tables);
    expect(code).toBe(0);
    expect(out).toBe(companyModel);
  });

  test('has at least 40 people, who hold every function that is not critical', () => {
    const assigned = columnOf(join(COMPANY, 'assignments.csv'), 'role');
    const roles = tableOf(join(COMPANY, 'roles.csv'));
    const held = roles.filter(({ role = '' }) => assigned.has(role)).map(({ entitlement = '' }) => entitlement);
    expect(tableOf(join(COMPANY, 'users.csv')).length).toBeGreaterThanOrEqual(40);
    expect([...new Set(held)].toSorted()).toEqual([...used.difference(critical)].toSorted());
  });

  test('violates nothing: neither its people nor its roles', async () => {
    using folder = openFiles({ 'model.ndjson': companyModel });
    expect(await folder.run('scan', RULEBOOK, '--local', './model.ndjson', '--fail-on', 'any')).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 violations'),
    });
    const lint = await folder.run('lint', RULEBOOK, '--model', './model.ndjson', '--fail-on', 'warning');
    expect(lint).toMatchObject({ code: 0 });
  });

  test('has each rule violated by exactly the person made for it, once that person joins', async () => {
    const offenders = policies.map(({ id }) => {
      const made = rulebook.tests.find(({ test: { expect: wanted } }) => wanted.violates?.join() === id);
      const given = Object(made?.test.given);
      const access = [given.holds].flat().map((ref) => ({ type: 'ENTITLEMENT', id: ref }));
      return { kind: 'identity', id: `made-for-${id}`, uid: id, identityProfile: 'default', access };
    });
    using folder = openFiles({ 'model.ndjson': companyModel + ndjson(offenders) });
    const { out } = await folder.run('scan', RULEBOOK, '--local', './model.ndjson', '--format', 'json');
    const found: readonly { identityId: string; policyId: string }[] = JSON.parse(out).violations;
    const pairs = found.map(({ identityId, policyId }) => `${identityId} ${policyId}`);
    expect(pairs.toSorted()).toEqual(policies.map(({ id }) => `made-for-${id} ${id}`).toSorted());
  });
});

describe('the mappings', () => {
  test.each([
    ['sap', 'function'],
    ['entra', 'entitlement'],
    ['aws', 'entitlement'],
  ])('to %s name functions that exist, as many as the page says, each line once', (system, column) => {
    const path = join(OPEN, 'mappings', `${system}.csv`);
    const mapped = columnOf(path, column);
    expect([...mapped.difference(columnOf(FUNCTIONS, 'id'))]).toEqual([]);
    expect(PAGE).toContain(`| \`rulebooks/open/mappings/${system}.csv\` | ${mapped.size} |`);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.length).toBe(new Set(lines).size);
  });

  test('to SAP make functions of roles: a transaction counts with its authorizations alone', async () => {
    using folder = openFiles({
      'agr-users.csv': 'AGR_NAME,UNAME\nZ_PAY,ANNA\nZ_VENDOR,ANNA\nZ_PROPOSE,BEN\nZ_VENDOR,BEN\nZ_DEBUG,CARL\n',
      'agr-1251.csv': [
        'AGR_NAME,OBJECT,AUTH,FIELD,LOW,HIGH',
        'Z_PAY,S_TCODE,T1,TCD,F110,',
        'Z_PAY,F_REGU_BUK,T2,FBTCH,21,',
        'Z_PROPOSE,S_TCODE,T1,TCD,F110,',
        'Z_PROPOSE,F_REGU_BUK,T2,FBTCH,11,',
        'Z_VENDOR,S_TCODE,T1,TCD,XK01,XK03',
        'Z_VENDOR,F_LFA1_GEN,T2,ACTVT,01,03',
        'Z_DEBUG,S_TCODE,T1,TCD,MM03,',
        'Z_DEBUG,S_DEVELOP,T2,ACTVT,02,',
        'Z_DEBUG,S_DEVELOP,T2,OBJTYPE,DEBUG,',
        '',
      ].join('\n'),
    });
    const tables = ['--agr-users', './agr-users.csv', '--agr-1251', './agr-1251.csv'];
    const mapping = ['--functions', join(OPEN, 'mappings/sap.csv')];
    expect(await folder.run('convert', 'sap', ...tables, ...mapping, '-o', './model.ndjson')).toMatchObject({
      code: 0,
    });
    expect(await violations(folder)).toEqual(['ANNA sod-p2p-01', 'CARL sod-crt-02']);
  });

  test.each([
    ['entra', 'fe930be7-5e62-47db-91af-98c3a49a38b1', 'b1be1c3e-b65d-4f19-8427-f6fa0d97feb9', 'sod-it-24'],
    ['aws', 'organizations:DetachPolicy', 'ec2:RunInstances', 'sod-it-22'],
  ])('to %s are roles of functions', async (system, left, right, violated) => {
    using folder = openFiles({
      'users.csv': 'id\nanna\nben\n',
      'assignments.csv': `user,role\nanna,${left}\nanna,${right}\nben,${left}\n`,
    });
    const own = ['--users', './users.csv', '--assignments', './assignments.csv', '--entitlements', FUNCTIONS];
    const mapping = ['--roles', join(OPEN, 'mappings', `${system}.csv`)];
    expect(await folder.run('convert', 'csv', ...own, ...mapping, '-o', './model.ndjson')).toMatchObject({ code: 0 });
    expect(await violations(folder)).toEqual([`anna ${violated}`]);
    const lint = await folder.run('lint', RULEBOOK, '--model', './model.ndjson', '--format', 'json');
    expect(
      JSON.parse(lint.out).findings.filter(({ code }: { code: string }) => code !== 'SELF_VIOLATING_ROLE'),
    ).toEqual([]);
  });
});

async function violations({ run }: { readonly run: (...args: readonly string[]) => Promise<{ out: string }> }) {
  const { out } = await run('scan', RULEBOOK, '--local', './model.ndjson', '--format', 'json');
  const found: readonly { identityId: string; policyId: string }[] = JSON.parse(out).violations;
  return found.map(({ identityId, policyId }) => `${identityId} ${policyId}`).toSorted();
}
