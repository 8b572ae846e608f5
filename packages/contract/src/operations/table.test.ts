import type { ImportRecord, NetworkConfig, Patch, SodReportChange, TimedAccessRef } from '@access-admin/domain';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { PageQuery } from '../query/page.ts';
import { createQueryParser } from '../query/parse-query.ts';
import type { ACCESS_MODEL } from './access-model.ts';
import type { AUTH_PROFILES } from './auth-profiles.ts';
import type { AUTH_USERS } from './auth-users.ts';
import type { CHECKS } from './checks.ts';
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from './define-operation.ts';
import type { LOADS } from './loads.ts';
import type { LOOK_UPS } from './look-ups.ts';
import type { POLICIES } from './policies.ts';
import type { PREDICTIONS } from './predictions.ts';
import type { REPORTS } from './reports.ts';
import type { SESSIONS } from './sessions.ts';
import type { SIGN_IN } from './sign-in.ts';
import { OPERATIONS, operationOf } from './table.ts';
import type { VIOLATIONS } from './violations.ts';

describe('a handler is typed by the definition of its operation:', () => {
  test('its path parameters', () => {
    expectTypeOf<ParamsOf<typeof POLICIES.list>>().toEqualTypeOf<Readonly<Record<never, string>>>();
    expectTypeOf<ParamsOf<typeof AUTH_USERS.get>>().toEqualTypeOf<{ readonly id: string }>();
    expectTypeOf<ParamsOf<typeof AUTH_USERS.removeCredential>>().toEqualTypeOf<{
      readonly id: string;
      readonly credentialId: string;
    }>();
    expectTypeOf<ParamsOf<typeof LOADS.putPart>>().toEqualTypeOf<{
      readonly id: string;
      readonly loadId: string;
      readonly n: number;
    }>();
  });

  test('its body', () => {
    expectTypeOf<BodyOf<typeof AUTH_USERS.get>>().toEqualTypeOf<undefined>();
    expectTypeOf<BodyOf<typeof AUTH_USERS.patch>>().toEqualTypeOf<Patch>();
    expectTypeOf<BodyOf<typeof AUTH_USERS.createSignInLink>>().toEqualTypeOf<{ hours: number }>();
    expectTypeOf<BodyOf<typeof SIGN_IN.setNetworkConfig>>().toExtend<NetworkConfig>();
    expectTypeOf<BodyOf<typeof ACCESS_MODEL.import>>().toEqualTypeOf<readonly ImportRecord[]>();
    expectTypeOf<BodyOf<typeof PREDICTIONS.predictBatch>>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<BodyOf<typeof CHECKS.start>['accessRefs']>().toEqualTypeOf<TimedAccessRef[]>();
  });

  test('its query', () => {
    expectTypeOf<keyof QueryOf<typeof AUTH_USERS.get>>().toEqualTypeOf<never>();
    expectTypeOf<QueryOf<typeof POLICIES.list>['page']>().toEqualTypeOf<PageQuery>();
    expectTypeOf<keyof QueryOf<typeof POLICIES.list>>().toEqualTypeOf<'page' | 'filters' | 'sorters'>();
    expectTypeOf<QueryOf<typeof POLICIES.list>['sorters'][number]['field']>().toEqualTypeOf<
      'id' | 'name' | 'description' | 'ownerRef.name' | 'created' | 'modified'
    >();
    expectTypeOf<QueryOf<typeof SESSIONS.list>['filters'][number]>().toEqualTypeOf<{
      readonly field: 'identityId';
      readonly operator: 'eq';
      readonly values: readonly string[];
    }>();
    type Excepted = Extract<QueryOf<typeof REPORTS.violations>['filters'][number], { readonly field: 'excepted' }>;
    expectTypeOf<Excepted['values']>().toEqualTypeOf<readonly ('true' | 'false')[]>();
    expectTypeOf<QueryOf<typeof REPORTS.violations>['change']>().toEqualTypeOf<SodReportChange | null>();
    expectTypeOf<keyof QueryOf<typeof LOOK_UPS.roleHolders>>().toEqualTypeOf<'page' | 'cursor'>();
    expectTypeOf<QueryOf<typeof LOOK_UPS.roleHolders>['cursor']>().toEqualTypeOf<string | null>();
    expectTypeOf<QueryOf<typeof VIOLATIONS.summary>['days']>().toEqualTypeOf<number>();
    expectTypeOf<keyof QueryOf<typeof CHECKS.start>>().toEqualTypeOf<'include'>();
    expectTypeOf<QueryOf<typeof CHECKS.start>['include']>().toEqualTypeOf<
      readonly ('via' | 'remediation' | 'pending')[]
    >();
    expectTypeOf<QueryOf<typeof AUTH_PROFILES.patch>['dryRun']>().toEqualTypeOf<boolean>();
    expectTypeOf<QueryOf<typeof AUTH_PROFILES.patch>['ip']>().toEqualTypeOf<string | null>();
  });

  test('its response', () => {
    expectTypeOf<ResponseOf<typeof AUTH_USERS.createSignInLink>['url']>().toEqualTypeOf<string>();
    expectTypeOf<ResponseOf<typeof AUTH_USERS.unlock>>().toEqualTypeOf<undefined>();
  });
});

const parsed = <Id extends Parameters<typeof operationOf>[0]>(id: Id, query: string) => {
  const result = createQueryParser(operationOf(id))(new URLSearchParams(query));
  return result.ok ? result.value : result.failure.causes;
};

const CURSOR_LISTS = OPERATIONS.filter(({ list, cursor }) => list && cursor).map(({ id }) => id);

describe('the query of an operation', () => {
  test.each([
    ['get-auth-user-v1', 'limit=x', {}],
    ['list-webhooks-v1', '', { page: { limit: 250, offset: 0, count: false } }],
    ['list-webhooks-v1', 'limit=5&offset=10&count=true&sorters=x', { page: { limit: 5, offset: 10, count: true } }],
    [
      'list-sod-policies-v1',
      'filters=level eq "HIGH"&sorters=-name,id&limit=1',
      {
        filters: [{ field: 'level', operator: 'eq', values: ['HIGH'] }],
        sorters: [
          { field: 'name', descends: true },
          { field: 'id', descends: false },
        ],
        page: { limit: 1, offset: 0, count: false },
      },
    ],
    [
      'list-violations-v1',
      'sort=-level&cursor=abc',
      {
        filters: [],
        sorters: [{ field: 'level', descends: true }],
        page: { limit: 250, offset: 0, count: false },
        cursor: 'abc',
      },
    ],
    ['list-webhook-deliveries-v1', 'offset=10000', expect.objectContaining({ cursor: null })],
    ['list-role-holders-v1', '', { page: { limit: 250, offset: 0, count: false }, cursor: null }],
    ['get-violations-summary-v1', '', { days: 30 }],
    ['get-violations-summary-v1', 'days=400', { days: 400 }],
    ['start-predict-sod-violations-v1', 'include=remediation,via', { include: ['via', 'remediation'] }],
    ['list-events-v1', 'after=7&types=webhook.*&limit=2', { after: 7, types: ['webhook.disabled'], limit: 2 }],
    ['list-events-v1', 'types=*', { after: null, types: expect.objectContaining({ length: 32 }), limit: 1000 }],
    [
      'list-events-v1',
      'after=99999999999999999999&types=ui-metadata.changed',
      {
        after: Number.MAX_SAFE_INTEGER,
        types: ['ui-metadata.changed'],
        limit: 1000,
      },
    ],
    ['patch-profile-config-v1', '', { dryRun: false, ip: null, country: null }],
    // Without a dry-run they do not count.
    ['patch-profile-config-v1', 'dryRun=false&ip=x&ip=y&country=z', { dryRun: false, ip: null, country: null }],
    ['patch-profile-config-v1', 'dryRun=true&ip=::1&country=CH', { dryRun: true, ip: '::1', country: 'CH' }],
  ] as const)('of %s is parsed: %s', (id, query, expected) => {
    expect(parsed(id, query)).toEqual(expected);
  });

  test.each([
    ['list-webhooks-v1', 'limit=0', 'limit', 'must be a whole number from 1 to 250, given once'],
    ['list-webhooks-v1', 'limit=1&limit=1', 'limit', 'must be a whole number from 1 to 250, given once'],
    ['list-webhooks-v1', 'offset=-1', 'offset', 'must be a whole number from 0 to 999999999, given once'],
    ...CURSOR_LISTS.flatMap((id) =>
      [10_001, 999_999_999].map(
        (offset) =>
          [
            id,
            `offset=${offset}`,
            'offset',
            'must be a whole number from 0 to 10000, given once: for rows beyond, follow `Link`, whose `cursor` begins the next page',
          ] as const,
      ),
    ),
    ['list-webhooks-v1', 'count=yes', 'count', 'must be true or false, given once'],
    ['list-sod-policies-v1', 'filters=a&filters=a', 'filters', 'must be given once'],
    ['list-sod-policies-v1', 'sorters=id&sorters=id', 'sorters', 'must be given once'],
    ['list-sod-policies-v1', 'sorters=a&limit=0', 'sorters', expect.stringContaining('ownerRef.name, created')],
    ['list-violations-v1', 'sorters=level&sort=level', 'sorters', 'must be given once, as sorters or as sort'],
    ['list-violations-v1', 'cursor=a&cursor=b', 'cursor', 'must be given once'],
    ['get-violations-summary-v1', 'days=401', 'days', 'must be a whole number from 1 to 400'],
    ['get-violations-summary-v1', 'days=0030', 'days', 'must be a whole number from 1 to 400'],
    ['get-violations-summary-v1', 'days=1&days=1', 'days', 'must be given once'],
    ['list-sod-report-violations-v1', 'change=other', 'change', 'must be one of new, same, gone'],
    ['list-sod-report-violations-v1', 'policyId=a&policyId=a', 'policyId', 'must be given once'],
    ['list-events-v1', 'after=x&types=x', 'after', 'must be the sequence of an event: up to 20 decimal digits'],
    ['list-events-v1', 'types=x', 'types', expect.stringContaining('"x" names none')],
    ['list-events-v1', 'limit=1001', 'limit', 'must be a whole number from 1 to 1000, given once'],
    ['start-violation-check-v1', 'include=via,via', 'include', expect.stringContaining('via, remediation')],
    ['patch-profile-config-v1', 'dryRun=1', 'dryRun', 'must be true or false'],
    ['patch-profile-config-v1', 'dryRun=true&ip=x', 'ip', 'must be an IPv4 or IPv6 address'],
    ['patch-profile-config-v1', 'dryRun=true&country=Switzerland', 'country', expect.stringContaining('such as CH')],
  ] as const)('of %s is refused: %s', (id, query, at, text) => {
    expect(parsed(id, query)).toEqual([{ at, text }]);
  });
});

test('no operation is hidden behind an earlier one: the router takes the first route that matches', () => {
  const hidden = OPERATIONS.filter(({ method, path }, position) =>
    OPERATIONS.slice(0, position).some(
      (earlier) =>
        earlier.method === method && new RegExp(`^${earlier.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    ),
  );
  expect(hidden.map(({ id }) => id)).toEqual([]);
});
