import { describe, expect, test } from 'vitest';
import { AccessAdminError } from '../src/index.ts';
import { ada, employees, openStage, rejectionOf } from './fixtures.ts';
import { empty, json, refusal } from './scripted-server.ts';

const metadata = { iFrameWhitelist: null, usernameLabel: null, usernameEmptyText: null };

describe('the version of a resource', () => {
  test('comes with the value on request', async () => {
    await using stage = await openStage();
    stage.server.script('GET /auth-users/v1/i-1', json(200, ada, { etag: '"7"' }));
    await expect(stage.admin.authUsers.get('i-1').withETag()).resolves.toEqual({ value: ada, etag: '"7"' });
    expect(stage.server.arrivals).toHaveLength(1);
  });

  test('value and version of one call cost one request', async () => {
    await using stage = await openStage();
    stage.server.script('GET /auth-users/v1/i-1', json(200, ada, { etag: '"7"' }));
    const call = stage.admin.authUsers.get('i-1');
    expect([await call, await call.withETag()]).toEqual([ada, { value: ada, etag: '"7"' }]);
    expect(stage.server.arrivals).toHaveLength(1);
  });

  test('a failure rejects the awaited promise only', async () => {
    await using stage = await openStage();
    stage.server.script('GET /auth-users/v1/i-1', refusal(404, '404'));
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    await expect(stage.admin.authUsers.get('i-1').withETag()).rejects.toMatchObject({ name: 'NotFoundError' });
    await new Promise(setImmediate);
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });

  test('its absence is an error only for withETag', async () => {
    await using stage = await openStage();
    stage.server.script('GET /auth-users/v1/i-1', json(200, ada));
    const call = stage.admin.authUsers.get('i-1');
    await expect(call).resolves.toEqual(ada);
    await expect(call.withETag()).rejects.toThrow(AccessAdminError);
  });

  test.each([
    ['PATCH /auth-users/v1/i-1', ada],
    ['PATCH /auth-profiles/v1/ip-emp', employees],
    ['PUT /ui-metadata/v1/tenant', metadata],
  ])('is sent with %s, and the response has the next version', async (line, response) => {
    await using stage = await openStage();
    stage.server.script(line, json(200, response, { etag: '"8"' }));
    const ifMatch = '"7"';
    const call = {
      'PATCH /auth-users/v1/i-1': () => stage.admin.authUsers.setCapabilities('i-1', [], { ifMatch }),
      'PATCH /auth-profiles/v1/ip-emp': () => stage.admin.authProfiles.patch('ip-emp', [], { ifMatch }),
      'PUT /ui-metadata/v1/tenant': () => stage.admin.uiMetadata.set({}, { ifMatch }),
    }[line];
    await expect(call?.().withETag()).resolves.toEqual({ value: response, etag: '"8"' });
    expect(stage.server.arrivals[0]?.headers['if-match']).toBe(ifMatch);
  });

  test('is not sent without `ifMatch`', async () => {
    await using stage = await openStage();
    stage.server.script('PATCH /auth-users/v1/i-1', json(200, ada));
    await stage.admin.authUsers.patch('i-1', [{ op: 'add', path: '/capabilities/-', value: 'HELPDESK' }]);
    expect(stage.server.arrivals[0]?.headers).not.toHaveProperty('if-match');
  });

  test('that has changed is a PreconditionFailedError', async () => {
    await using stage = await openStage();
    stage.server.script('PATCH /auth-users/v1/i-1', refusal(412, '412'));
    const error = await rejectionOf(stage.admin.authUsers.patch('i-1', [], { ifMatch: '"1"' }));
    expect(error).toMatchObject({ name: 'PreconditionFailedError', status: 412 });
  });
});

test('an approval names the version that was seen, also where the service demands it', async () => {
  await using stage = await openStage();
  const approve = 'POST /sod-exceptions/v1/x-1/approve';
  stage.server.script(approve, refusal(428, '428'));
  const error = await rejectionOf(stage.admin.sodExceptions.approve('x-1'));
  expect(error).toMatchObject({ name: 'PreconditionRequiredError', status: 428 });
  stage.server.script(approve, json(200, {}));
  await stage.admin.sodExceptions.approve('x-1', { ifMatch: '"1"' });
  expect(stage.server.arrivals.map(({ headers }) => headers['if-match'])).toEqual([undefined, '"1"']);
});

describe('an id', () => {
  test.each(['', '.', '..'])("that an address would swallow, '%s', is refused without a request", async (id) => {
    await using stage = await openStage();
    await expect(stage.admin.authUsers.get(id)).rejects.toThrow(AccessAdminError);
    await expect(stage.admin.oauthClients.delete(id)).rejects.toThrow(AccessAdminError);
    await expect(stage.admin.sodViolations.getCheck(id)).rejects.toThrow(AccessAdminError);
    expect(stage.server.arrivals).toHaveLength(0);
  });
});

describe('the base address', () => {
  test('may have a path, with or without a trailing slash', async () => {
    await using stage = await openStage();
    stage.server.script('GET /api/access/auth-users/v1/i-1', json(200, ada));
    for (const end of ['/api/access', '/api/access/']) {
      const admin = stage.clientWith({ baseAddress: stage.server.baseAddress + end, token: 'mine' });
      await expect(admin.authUsers.get('i-1')).resolves.toEqual(ada);
    }
  });

  test.each([
    '',
    'localhost',
    'ftp://a.example',
    'https://u:p@a.example',
    'https://a.example/?x',
    'https://a.example/#x',
  ])("'%s' is refused when the client is built", async (baseAddress) => {
    await using stage = await openStage();
    expect(() => stage.clientWith({ baseAddress })).toThrow(TypeError);
  });
});

describe('ready', () => {
  test.each([
    [200, true],
    [503, false],
    [404, false],
  ])('%s means %s, with one request and without a token', async (status, ready) => {
    await using stage = await openStage();
    stage.server.script('GET /readyz', empty(status));
    await expect(stage.admin.health.ready()).resolves.toBe(ready);
    expect(stage.server.arrivals).toHaveLength(1);
    expect(stage.server.arrivals[0]?.headers).not.toHaveProperty('authorization');
  });

  test('is false if nothing listens', async () => {
    const stage = await openStage();
    await stage[Symbol.asyncDispose]();
    await expect(stage.admin.health.ready()).resolves.toBe(false);
  });

  test('rejects with the reason of its signal', async () => {
    await using stage = await openStage();
    await expect(stage.admin.health.ready({ signal: AbortSignal.abort('no') })).rejects.toBe('no');
  });
});

test('the public keys are read without a token', async () => {
  await using stage = await openStage();
  const jwks = { keys: [{ kty: 'EC', kid: 'k' }] };
  stage.server.script('GET /.well-known/jwks.json', json(200, jwks));
  await expect(stage.admin.health.keys()).resolves.toEqual(jwks);
  expect(stage.server.arrivals[0]?.headers).not.toHaveProperty('authorization');
});

describe('a dry-run of a patch', () => {
  const tried = {
    identities: 1,
    newlyBlocked: 1,
    newlySecondFactor: 0,
    withoutFactor: 0,
    sample: [],
    wouldBeRefused: true,
  };
  const patch = [{ op: 'replace', path: '/type', value: 'BLOCK' }] as const;

  test('asks for the given origin, and is repeated', async () => {
    await using stage = await openStage();
    const line = 'PATCH /auth-profiles/v1/ip-1?dryRun=true&ip=10.1.2.3&country=CH';
    stage.server.script(line, refusal(503, '503'), json(200, tried));
    const options = { ip: '10.1.2.3', country: 'CH', ifMatch: '"7"' };
    await expect(stage.admin.authProfiles.tryPatch('ip-1', patch, options)).resolves.toEqual(tried);
    expect(stage.server.arrivals).toHaveLength(2);
    expect(stage.server.arrivals[1]).toMatchObject({
      headers: { 'if-match': '"7"', 'x-service-experimental': 'true' },
    });
  });

  test('asks for the origin of the caller', async () => {
    await using stage = await openStage();
    stage.server.script('PATCH /auth-org/v1/network-config?dryRun=true', json(200, tried));
    await expect(stage.admin.authOrg.network.tryPatch([])).resolves.toEqual(tried);
  });
});
