import { OPERATIONS, validate } from '@access-admin/contract';
import { expect, test } from 'vitest';
import { callsOf, openWorld } from './operation-calls.ts';
import { openExceptions } from './sod-exceptions-world.ts';

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

test.each(Object.entries(WITHOUT))('%s counts as an empty object', async (_name, sent) => {
  const world = await openWorld();
  const bodiless = callsOf(world).filter(([{ body }]) => body?.isOptional);
  expect(bodiless.length).toBeGreaterThan(0);
  for (const [{ id, method, response }, [path, { headers, body: _, ...options } = {}]] of bodiless) {
    const { 'content-type': __, ...others } = headers ?? {};
    const answer = await world.api.call(method, path, { ...options, ...sent, headers: { ...others, ...sent.headers } });
    expect(answer.status, `${id}: ${answer.text}`).toBe(response.status);
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
