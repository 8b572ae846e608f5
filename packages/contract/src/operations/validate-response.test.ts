import { describe, expect, test } from 'vitest';
import { OPERATIONS } from './table.ts';
import { validateResponse } from './validate-response.ts';

const profile = { tenant: 'acme', id: 'ip-1', name: 'Employees', type: 'MFA' };
const entitlement = { kind: 'entitlement', id: 'e-1', name: 'Pay', source: null };
const cause = { locale: 'en-US', localeOrigin: 'DEFAULT', text: 'No.', detailCode: '404' };
const error = { detailCode: '404', trackingId: '0'.repeat(32), messages: [], causes: [] };

const check = (...response: readonly [id: Parameters<typeof validateResponse>[0], status: number, text: string]) =>
  validateResponse(response[0], { status: response[1], text: response[2] });

describe('a response', () => {
  test.each([
    ['a list', 'get-profile-config-list-v1', 200, JSON.stringify([profile])],
    ['JSON lines', 'export-access-model-v1', 200, `${JSON.stringify(entitlement)}\n`],
    ['no line', 'export-access-model-v1', 200, ''],
    ['no body', 'delete-oauth-client-v1', 204, ''],
    ['an error', 'delete-oauth-client-v1', 404, JSON.stringify(error)],
    ['an error with causes', 'export-access-model-v1', 403, JSON.stringify({ ...error, causes: [cause] })],
  ] as const)('is accepted: %s', (_, id, status, text) => {
    expect(check(id, status, text)).toEqual({ ok: true, value: null });
  });

  test.each([
    ['an unexpected property', 'get-profile-config-list-v1', 200, JSON.stringify([{ ...profile, extra: 1 }])],
    ['a missing property', 'get-profile-config-list-v1', 200, JSON.stringify([{ ...profile, name: undefined }])],
    ['an unexpected property of a line', 'export-access-model-v1', 200, JSON.stringify({ ...entitlement, extra: 1 })],
    ['a body where there is none', 'delete-oauth-client-v1', 204, '{}'],
    ['another status', 'delete-oauth-client-v1', 200, ''],
    ['a nested cause', 'delete-oauth-client-v1', 404, JSON.stringify({ ...error, causes: [error] })],
    ['an unexpected property of an error', 'delete-oauth-client-v1', 404, JSON.stringify({ ...error, status: 404 })],
  ] as const)('is rejected: %s', (_, id, status, text) => {
    expect(check(id, status, text)).toMatchObject({ ok: false });
  });
});

test('every operation has a schema of its response, except for 204', () => {
  for (const { response } of OPERATIONS) expect(response.schema === null).toBe(response.status === 204);
});
