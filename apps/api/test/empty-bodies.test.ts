import { OPERATIONS, validate } from '@access-admin/contract';
import { expect, test } from 'vitest';
import { completeFixPlan } from './complete-fix-plan.ts';
import { EXCEPTIONS, openExceptions } from './sod-exceptions-world.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const OPTIONAL = OPERATIONS.filter(({ body }) => body?.isOptional === true).map(({ id }) => id);

/** The ways to send no body. */
const WITHOUT: Readonly<Record<string, { readonly body?: string; readonly headers: Record<string, string> }>> = {
  'no body and no type': { headers: {} },
  'a type alone': { headers: JSON_TYPE },
  'no bytes': { body: '', headers: JSON_TYPE },
};

test('a body may be left out exactly where all its properties are optional, but for PUT', () => {
  const accepting = OPERATIONS.filter(
    ({ body, method }) => method !== 'PUT' && body !== null && body.schema !== null && validate(body.schema, {}).ok,
  );
  expect(OPTIONAL).toEqual(accepting.map(({ id }) => id));
});

test.each(Object.entries(WITHOUT))('%s counts as an empty object', async (_, sent) => {
  const { api, ada, hal, ask } = await openExceptions();
  const { id } = (await ask()).json;
  const hook = { name: 'w', url: 'https://example.com/', types: ['*'] };
  const webhook = await api.call('POST', '/webhooks/v1', { body: hook });
  const client = await api.call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes: ['auth-users:read'] } });
  const delivery = await api.call('POST', `/webhooks/v1/${webhook.json.id}/test`, { body: {} });
  await api.importRecords([{ kind: 'source', id: 'hr', name: 'HR' }]);
  const load = await api.call('POST', '/sources/v1/hr/loads', { body: { mode: 'FULL' } });
  const paths: Readonly<Record<string, readonly [path: string, status: number, token?: string]>> = {
    'commit-source-load-v1': [`/sources/v1/hr/loads/${load.json.loadId}/commit`, 202],
    'create-sign-in-link-v1': ['/auth-users/v1/i-cleo/sign-in-link', 201],
    'set-auth-org-network-config-v1': ['/auth-org/v1/network-config', 200],
    'start-sod-scan-v1': ['/sod-violations/v1/scan', 202],
    'start-sod-dry-run-v1': ['/sod-policies/v1/dry-run', 202],
    'start-sod-fix-plan-v1': ['/sod-violations/v1/fix-plan', 202],
    'hand-over-sod-fix-step-v1': [`/sod-reports/v1/${await completeFixPlan(api)}/steps/1/hand-over`, 200],
    'approve-sod-exception-v1': [`${EXCEPTIONS}/${id}/approve`, 200, hal],
    'revoke-sod-exception-v1': [`${EXCEPTIONS}/${id}/revoke`, 200, ada],
    'rotate-oauth-client-secret-v1': [`/oauth-clients/v1/${client.json.id}/rotate-secret`, 200],
    'rotate-webhook-secret-v1': [`/webhooks/v1/${webhook.json.id}/rotate-secret`, 200],
    'test-webhook-v1': [`/webhooks/v1/${webhook.json.id}/test`, 202],
    'resend-webhook-delivery-v1': [`/webhooks/v1/${webhook.json.id}/deliveries/${delivery.json.id}/resend`, 202],
  };
  expect(Object.keys(paths).sort()).toEqual([...OPTIONAL].sort());
  for (const [operation, [path, status, token]] of Object.entries(paths)) {
    const answer = await api.call('POST', path, { ...sent, ...(token === undefined ? {} : { token }) });
    expect([operation, answer.status, answer.text]).toEqual([operation, status, answer.text]);
  }
});

test('a body that is there is still validated', async () => {
  const { api } = await openExceptions();
  const post = (body: string, headers: Record<string, string>) =>
    api.call('POST', '/sod-violations/v1/scan', { body, headers });
  for (const body of [' ', '[]', 'null', '{"all":true}'])
    expect([body, (await post(body, JSON_TYPE)).json.detailCode]).toEqual([body, '400.1']);
  expect((await post('', { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await post('', { ...JSON_TYPE, 'content-encoding': 'gzip' })).status).toBe(415);
});

test('an operation with a required property, and the PUT of the UI metadata, need a body', async () => {
  const { api } = await openExceptions();
  const headers = { ...JSON_TYPE, 'x-service-experimental': 'true' };
  const call = (method: string, path: string) => api.call(method, path, { body: '', headers });
  expect((await call('PUT', '/ui-metadata/v1/tenant')).json.detailCode).toBe('400.1');
  expect((await call('PUT', '/branding/v1/tenant')).json.detailCode).toBe('400.1');
  expect((await call('POST', '/sod-violations/v1/predict')).json.detailCode).toBe('400.1');
  expect((await api.call('POST', '/sod-violations/v1/predict')).status).toBe(415);
});
