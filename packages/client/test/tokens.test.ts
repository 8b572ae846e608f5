import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createSessionClient, UnauthenticatedError } from '../src/index.ts';
import { ada, openStage, rejectionOf } from './fixtures.ts';
import { grantTokens, hangUp, json, refusal, silence } from './scripted-server.ts';

const LINE = 'GET /auth-users/v1/i-1';
const tokensOf = (arrivals: readonly { readonly headers: Readonly<Record<string, string>> }[]) =>
  arrivals.map(({ headers }) => headers['authorization']);

describe('with client credentials', () => {
  test('the token request is a form with encoded Basic credentials', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, json(200, ada));
    const admin = stage.clientWith({
      clientId: 'c:1',
      clientSecret: 'gehéim +%',
      scope: 'auth-users:read ui-metadata:read',
    });
    await admin.authUsers.get('i-1');
    const [arrival] = stage.server.tokenArrivals;
    expect(arrival?.headers).toMatchObject({
      authorization: `Basic ${btoa('c%3A1:geh%C3%A9im%20%2B%25')}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(arrival?.body).toBe('grant_type=client_credentials&scope=auth-users%3Aread+ui-metadata%3Aread');
  });

  test('100 concurrent calls share one token request', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, json(200, ada));
    await Promise.all(Array.from({ length: 100 }, () => stage.admin.authUsers.get('i-1')));
    expect(stage.server.tokenArrivals).toHaveLength(1);
    expect(stage.server.arrivals).toHaveLength(100);
  });

  test.each([
    { lifeSeconds: 900, keptMs: 839_999, why: 'a minute ahead' },
    { lifeSeconds: 60, keptMs: 47_999, why: 'after four fifths of a short life' },
  ])('a token is renewed before it expires: $why', async ({ lifeSeconds, keptMs }) => {
    await using stage = await openStage();
    stage.server.script('POST /oauth/token', grantTokens(lifeSeconds));
    stage.server.script(LINE, json(200, ada));
    await stage.admin.authUsers.get('i-1');
    stage.runtime.advance(keptMs);
    await stage.admin.authUsers.get('i-1');
    stage.runtime.advance(1);
    await stage.admin.authUsers.get('i-1');
    expect(tokensOf(stage.server.arrivals)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  test('a cached token that is refused is renewed once for all calls that used it', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, json(200, ada));
    await stage.admin.authUsers.get('i-1');
    stage.server.script(LINE, (response, arrival) =>
      arrival.headers['authorization'] === 'Bearer token-1'
        ? refusal(401, '401')(response, arrival)
        : json(200, ada)(response, arrival),
    );
    await Promise.all(Array.from({ length: 20 }, () => stage.admin.authUsers.get('i-1')));
    expect(stage.server.tokenArrivals).toHaveLength(2);
    expect(stage.server.arrivals).toHaveLength(1 + 20 + 20);
  });

  test('a write is repeated with the renewed token, as a 401 has no effect', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, json(200, ada));
    await stage.admin.authUsers.get('i-1');
    stage.server.script('PATCH /auth-users/v1/i-1', refusal(401, '401'), json(200, ada));
    await expect(stage.admin.authUsers.patch('i-1', [])).resolves.toEqual(ada);
  });

  test('a new token that is refused is renewed once for all calls that waited for it', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, (response, arrival) =>
      arrival.headers['authorization'] === 'Bearer token-1'
        ? refusal(401, '401')(response, arrival)
        : json(200, ada)(response, arrival),
    );
    await Promise.all(Array.from({ length: 20 }, () => stage.admin.authUsers.get('i-1')));
    expect(stage.server.tokenArrivals).toHaveLength(2);
    expect(stage.server.arrivals).toHaveLength(20 + 20);
  });

  test('a renewed token that is refused ends the call', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, json(200, ada), refusal(401, '401'));
    await stage.admin.authUsers.get('i-1');
    await expect(stage.admin.authUsers.get('i-1')).rejects.toThrow(UnauthenticatedError);
    expect(tokensOf(stage.server.arrivals)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
    expect(stage.server.tokenArrivals).toHaveLength(2);
  });

  test('the first call ends too when its renewed token is refused', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, refusal(401, '401'));
    await expect(stage.admin.authUsers.get('i-1')).rejects.toThrow(UnauthenticatedError);
    expect(tokensOf(stage.server.arrivals)).toEqual(['Bearer token-1', 'Bearer token-2']);
    expect(stage.server.tokenArrivals).toHaveLength(2);
  });

  test('wrong credentials are a TokenError with the OAuth code, without retries and without the secret', async () => {
    await using stage = await openStage();
    stage.server.script('POST /oauth/token', json(401, { error: 'invalid_client', error_description: 'no: geheim' }));
    const error = await rejectionOf(stage.admin.authUsers.get('i-1'));
    expect(error).toMatchObject({ name: 'TokenError', code: 'invalid_client', cause: { status: 401 } });
    expect(error.message).toBe('No token: POST /oauth/token: invalid_client');
    expect(inspect(error)).not.toContain('geheim');
    expect(stage.server.tokenArrivals).toHaveLength(1);
    expect(stage.server.arrivals).toHaveLength(0);
  });

  test('the token request has its own retries, which the call does not repeat', async () => {
    await using stage = await openStage();
    stage.server.script('POST /oauth/token', hangUp);
    await expect(stage.admin.authUsers.get('i-1')).rejects.toMatchObject({
      name: 'TokenError',
      code: null,
      cause: { name: 'ConnectionError' },
    });
    expect(stage.server.tokenArrivals).toHaveLength(7);
  });

  test('a failed token request is not cached', async () => {
    await using stage = await openStage();
    stage.server.script('POST /oauth/token', json(400, { error: 'invalid_scope' }), grantTokens(900));
    stage.server.script(LINE, json(200, ada));
    await expect(stage.admin.authUsers.get('i-1')).rejects.toMatchObject({ code: 'invalid_scope' });
    await expect(stage.admin.authUsers.get('i-1')).resolves.toEqual(ada);
  });

  test.each([
    ['no JSON', 'secret-token, not JSON'],
    ['no token', '{"token_type":"Bearer"}'],
    ['a token that is no header value', '{"access_token":"secret\\ntoken"}'],
  ])('a response with %s is a TokenError that does not quote it', async (_, text) => {
    await using stage = await openStage();
    stage.server.script('POST /oauth/token', (response) => response.writeHead(200).end(text));
    const error = await rejectionOf(stage.admin.authUsers.get('i-1'));
    expect(error).toMatchObject({ name: 'TokenError', code: null });
    expect(inspect(error)).not.toMatch(/secret|token_type/);
  });

  test('an aborted call does not abort the token request of other calls', async () => {
    await using stage = await openStage();
    let grant = () => {};
    stage.server.script('POST /oauth/token', (response, arrival) => {
      grant = () => grantTokens(900)(response, arrival);
    });
    stage.server.script(LINE, json(200, ada));
    const controller = new AbortController();
    const leaving = stage.admin.authUsers.get('i-1', { signal: controller.signal });
    const staying = stage.admin.authUsers.get('i-1');
    controller.abort('enough');
    await expect(leaving).rejects.toBe('enough');
    await expect.poll(() => stage.server.tokenArrivals.length).toBe(1);
    grant();
    await expect(staying).resolves.toEqual(ada);
  });

  test('a token request without a response rejects with a TokenError', async () => {
    await using stage = await openStage({ retries: 0 });
    stage.server.script('POST /oauth/token', silence);
    const call = stage.admin.authUsers.get('i-1');
    await expect.poll(() => stage.server.tokenArrivals.length).toBe(1);
    stage.runtime.fire(30_000);
    await expect(call).rejects.toMatchObject({ name: 'TokenError', cause: { name: 'TimeoutError' } });
  });
});

describe('with a token', () => {
  test('the token is sent unchanged and never renewed', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, refusal(401, '401'));
    const admin = stage.clientWith({ token: 'mine' });
    await expect(admin.authUsers.get('i-1')).rejects.toThrow(UnauthenticatedError);
    expect(tokensOf(stage.server.arrivals)).toEqual(['Bearer mine']);
    expect(stage.server.tokenArrivals).toHaveLength(0);
  });

  test('a function is called for each request, and again after a 401', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, json(200, ada), refusal(401, '401'));
    let asked = 0;
    const admin = stage.clientWith({ token: async () => `mine-${++asked}` });
    await admin.authUsers.get('i-1');
    await expect(admin.authUsers.get('i-1')).rejects.toThrow(UnauthenticatedError);
    expect(tokensOf(stage.server.arrivals)).toEqual(['Bearer mine-1', 'Bearer mine-2', 'Bearer mine-3']);
  });

  test('a failing function is a TokenError with its cause', async () => {
    await using stage = await openStage();
    const cause = new Error('no vault');
    const admin = stage.clientWith({ token: () => Promise.reject(cause) });
    await expect(admin.authUsers.get('i-1')).rejects.toMatchObject({ name: 'TokenError', cause });
  });
});

describe('with a session', () => {
  test('requests carry no token, and a refused one is not repeated', async () => {
    await using stage = await openStage();
    stage.server.script(LINE, json(200, ada), refusal(401, '401'));
    const admin = createSessionClient({ baseAddress: stage.server.baseAddress });
    await admin.authUsers.get('i-1');
    await expect(admin.authUsers.get('i-1')).rejects.toThrow(UnauthenticatedError);
    expect(tokensOf(stage.server.arrivals)).toEqual([undefined, undefined]);
    expect(stage.server.tokenArrivals).toHaveLength(0);
  });

  test('the session itself is read', async () => {
    await using stage = await openStage();
    const session = {
      identityId: 'i-1',
      displayName: 'Ada L.',
      capabilities: ['ORG_ADMIN'],
      factors: ['PASSWORD'],
      authTime: '2026-11-21T09:30:00.000Z',
      expires: '2026-11-21T17:30:00.000Z',
      idleExpires: '2026-11-21T09:45:00.000Z',
    };
    stage.server.script('GET /sessions/v1/current', json(200, session));
    await expect(createSessionClient({ baseAddress: stage.server.baseAddress }).sessions.current()).resolves.toEqual(
      session,
    );
  });
});
