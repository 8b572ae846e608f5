import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from './test-api.ts';

const ROOT = { client_id: 'root', client_secret: 'root secret%' };
const GRANT = { grant_type: 'client_credentials' };
const FORM = 'application/x-www-form-urlencoded';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const ROOT_BASIC = `Basic ${base64('root:root secret%')}`;

const UNKNOWN_CLIENT = {
  error: 'invalid_client',
  error_description: 'The client is unknown or its secret is wrong: check client_id and client_secret.',
};
const OTHER_GRANT = {
  error: 'unsupported_grant_type',
  error_description: 'The grant_type must be client_credentials.',
};
const WRONG_SCOPE = {
  error: 'invalid_scope',
  error_description:
    'The scope has one that the client does not have, or is not a list of scopes with a space between two of them: leave it out to get all scopes of the client.',
};
const invalidRequest = (error_description: string) => ({ error: 'invalid_request', error_description });
const NO_GRANT = invalidRequest('The grant_type is missing: send grant_type=client_credentials.');
const BAD_CHARACTERS = invalidRequest('A parameter has characters that OAuth 2.0 does not allow in it.');
const TWO_WAYS = invalidRequest(
  'The client authenticates twice: send its credentials by HTTP Basic or in the body, not both.',
);
const NOT_A_FORM = invalidRequest('The body must be application/x-www-form-urlencoded or multipart/form-data.');
const TWICE = invalidRequest('A parameter is given twice or is a file: send each once, as text.');

/** A request with what differs from one in Basic by the bootstrap client for `auth-users:read`. */
interface Sent {
  readonly form?: Readonly<Record<string, string>> | string;
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

const ask = (
  { call }: Pick<TestApi, 'call'>,
  { form = { ...GRANT, scope: 'auth-users:read' }, authorization = ROOT_BASIC, headers = {} }: Sent,
) =>
  call('POST', '/oauth/token', {
    token: null,
    headers: { 'content-type': FORM, ...(authorization === null ? {} : { authorization }), ...headers },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  });

describe('a token is granted', () => {
  test.each<[string, Sent]>([
    ['to Basic', {}],
    ['to credentials in the body', { form: { ...GRANT, ...ROOT, scope: 'auth-users:read' }, authorization: null }],
    ['to a scheme in lower case', { authorization: `basic ${base64('root:root secret%')}` }],
    ['to Basic after several spaces', { authorization: `Basic   ${base64('root:root secret%')}` }],
    ['to Basic without padding', { authorization: ROOT_BASIC.replace(/=+$/, '') }],
    ['to form-encoded Basic', { authorization: `Basic ${base64('root:root+secret%25')}` }],
    ['beside a client_id in the body', { form: { ...GRANT, client_id: 'else', scope: 'auth-users:read' } }],
    ['beside an empty secret in the body', { form: { ...GRANT, client_secret: '', scope: 'auth-users:read' } }],
    ['beside unknown parameters', { form: { ...GRANT, scope: 'auth-users:read', resource: 'x', __proto__x: 'y' } }],
    ['beside a parameter named __proto__', { form: `${new URLSearchParams(GRANT)}&scope=auth-users:read&__proto__=x` }],
    [
      'to a parameter that is given once more, empty',
      { form: 'grant_type=&grant_type=client_credentials&scope=auth-users:read' },
    ],
    ['for a scope with spaces around', { form: { ...GRANT, scope: '  auth-users:read ' } }],
    ['for a scope that repeats', { form: { ...GRANT, scope: 'auth-users:read   auth-users:read' } }],
    ['as form with a charset', { headers: { 'content-type': `${FORM}; charset=UTF-8` } }],
    ['as form in capitals', { headers: { 'content-type': 'Application/X-WWW-Form-URLEncoded' } }],
  ])('%s', async (_, sent) => {
    const answer = await ask(await openTestApi(), sent);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const { access_token: token } = answer.json;
    expect(answer.text).toBe(
      JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 900, scope: 'auth-users:read' }),
    );
    expect(decodeJwt(token)).toMatchObject({ client_id: 'root', sub: 'root', scope: 'auth-users:read' });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    expect(answer.headers.has('www-authenticate')).toBe(false);
  });

  test('for all scopes of the client, in their order, without a scope or with an empty one', async () => {
    const { call } = await openTestApi();
    const scopes = ['ui-metadata:read', 'auth-users:read'];
    const { json: client } = await call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes } });
    const { json: stored } = await call('GET', `/oauth-clients/v1/${client.id}`);
    const authorization = `Basic ${base64(`${client.id}:${client.secret}`)}`;
    for (const form of [GRANT, { ...GRANT, scope: '' }])
      expect((await ask({ call }, { form, authorization })).json.scope).toBe(stored.scopes.join(' '));
    const turned = { ...GRANT, scope: stored.scopes.toReversed().join(' ') };
    expect((await ask({ call }, { form: turned, authorization })).json.scope).toBe(turned.scope);
  });
});

describe('a token is refused', () => {
  test.each<[string, Sent, number, object]>([
    ['to another scheme', { authorization: 'Bearer abc' }, 401, UNKNOWN_CLIENT],
    ['to an empty header', { authorization: '' }, 401, UNKNOWN_CLIENT],
    ['to Basic without credentials', { authorization: 'Basic' }, 401, UNKNOWN_CLIENT],
    ['to Basic that is no Base64', { authorization: 'Basic !' }, 401, UNKNOWN_CLIENT],
    ['to Basic with two tokens', { authorization: `${ROOT_BASIC} x` }, 401, UNKNOWN_CLIENT],
    ['to Basic without a colon', { authorization: `Basic ${base64('root')}` }, 401, UNKNOWN_CLIENT],
    ['to Basic with a line feed in the secret', { authorization: `Basic ${base64('root:a\nb')}` }, 401, UNKNOWN_CLIENT],
    ['to Basic with an empty id', { authorization: `Basic ${base64(':secret')}` }, 400, BAD_CHARACTERS],
    ['to Basic with an empty secret', { authorization: `Basic ${base64('root:')}` }, 400, BAD_CHARACTERS],
    ['to Basic with a secret beyond ASCII', { authorization: `Basic ${base64('root:wörd')}` }, 400, BAD_CHARACTERS],
    [
      'to Basic that is not UTF-8',
      { authorization: `Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString('base64')}` },
      400,
      BAD_CHARACTERS,
    ],
    ['to such a secret without a grant', { authorization: `Basic ${base64('root:wörd')}`, form: 'a=b' }, 400, NO_GRANT],
    [
      'to an id with a tab in the body',
      { authorization: null, form: { ...GRANT, ...ROOT, client_id: 'a\tb' } },
      400,
      BAD_CHARACTERS,
    ],
    ['to an id alone', { authorization: null, form: { ...GRANT, client_id: 'root' } }, 401, UNKNOWN_CLIENT],
    [
      'to an empty secret in the body',
      { authorization: null, form: { ...GRANT, ...ROOT, client_secret: '' } },
      401,
      UNKNOWN_CLIENT,
    ],
    ['to a secret alone', { authorization: null, form: { ...GRANT, client_secret: 'x' } }, 401, UNKNOWN_CLIENT],
    [
      'to the id of a public client with a code verifier',
      {
        authorization: null,
        form: { grant_type: 'authorization_code', client_id: 'root', code_verifier: 'v'.repeat(43) },
      },
      401,
      UNKNOWN_CLIENT,
    ],
    ['to credentials in Basic and in the body', { form: { ...GRANT, ...ROOT } }, 400, TWO_WAYS],
    [
      'to a secret in the body beside another scheme',
      { authorization: 'Bearer x', form: { ...GRANT, ...ROOT } },
      400,
      TWO_WAYS,
    ],
    [
      'to an unknown client before its grant is looked at',
      { authorization: `Basic ${base64('nobody:x')}`, form: { grant_type: 'password' } },
      401,
      UNKNOWN_CLIENT,
    ],
    [
      'to an unknown client before its scope is looked at',
      { authorization: `Basic ${base64('nobody:x')}`, form: { ...GRANT, scope: 'ü' } },
      401,
      UNKNOWN_CLIENT,
    ],
    ['without a grant', { form: 'scope=auth-users:read' }, 400, NO_GRANT],
    ['with an empty grant', { form: 'grant_type=' }, 400, NO_GRANT],
    ['with an empty body', { form: '' }, 400, NO_GRANT],
    ['for the password grant', { form: { grant_type: 'password' } }, 400, OTHER_GRANT],
    ['for a code', { form: { grant_type: 'authorization_code', code: 'x' } }, 400, OTHER_GRANT],
    ['for a refresh token', { form: { grant_type: 'refresh_token', refresh_token: 'x' } }, 400, OTHER_GRANT],
    [
      'for an extension grant',
      { form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' } },
      400,
      OTHER_GRANT,
    ],
    ['for the grant in capitals', { form: { grant_type: 'CLIENT_CREDENTIALS' } }, 400, OTHER_GRANT],
    ['for a property of every object', { form: { grant_type: 'constructor' } }, 400, OTHER_GRANT],
    ['for a grant with a space', { form: { grant_type: 'client credentials' } }, 400, BAD_CHARACTERS],
    ['for a grant with a space behind', { form: { grant_type: 'client_credentials ' } }, 400, BAD_CHARACTERS],
    ['for a grant with a line feed behind', { form: { grant_type: 'client_credentials\n' } }, 400, BAD_CHARACTERS],
    ['for a grant beyond ASCII', { form: { grant_type: 'clïent' } }, 400, BAD_CHARACTERS],
    ['for another scope', { form: { ...GRANT, scope: 'auth-users:read everything' } }, 400, WRONG_SCOPE],
    ['for a scope in capitals', { form: { ...GRANT, scope: 'AUTH-USERS:READ' } }, 400, WRONG_SCOPE],
    ['for a scope of spaces', { form: { ...GRANT, scope: '  ' } }, 400, WRONG_SCOPE],
    [
      'for scopes with a comma between',
      { form: { ...GRANT, scope: 'auth-users:read,ui-metadata:read' } },
      400,
      WRONG_SCOPE,
    ],
    [
      'for scopes with a tab between',
      { form: { ...GRANT, scope: 'auth-users:read\tui-metadata:read' } },
      400,
      WRONG_SCOPE,
    ],
    ['for a scope with a quote', { form: { ...GRANT, scope: '"auth-users:read"' } }, 400, WRONG_SCOPE],
    ['for a parameter twice', { form: 'grant_type=client_credentials&grant_type=client_credentials' }, 400, TWICE],
    ['for an unknown parameter twice', { form: `${new URLSearchParams(GRANT)}&a=1&a=2` }, 400, TWICE],
    ['for __proto__ twice', { form: `${new URLSearchParams(GRANT)}&__proto__=1&__proto__=2` }, 400, TWICE],
    ['as JSON', { headers: { 'content-type': 'application/json' }, form: JSON.stringify(GRANT) }, 400, NOT_A_FORM],
    ['without a type', { headers: { 'content-type': '' } }, 400, NOT_A_FORM],
    ['as a longer type', { headers: { 'content-type': `${FORM}x` } }, 400, NOT_A_FORM],
    ['as multipart without a boundary', { headers: { 'content-type': 'multipart/form-data' } }, 400, NOT_A_FORM],
    [
      'in compressed form',
      { headers: { 'content-encoding': 'gzip' } },
      400,
      invalidRequest('The body must not be encoded: send it without a Content-Encoding.'),
    ],
  ])('%s', async (_, sent, status, body) => {
    const answer = await ask(await openTestApi(), sent);
    expect([answer.status, answer.text]).toEqual([status, JSON.stringify(body)]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Basic realm="access-admin"' : null);
    expect(answer.headers.has('retry-after')).toBe(false);
  });

  test('for a file in multipart', async () => {
    const { send } = await openTestApi();
    const body = new FormData();
    body.set('grant_type', new File(['client_credentials'], 'grant'));
    const answer = await send('/oauth/token', { method: 'POST', headers: { authorization: ROOT_BASIC }, body });
    expect([answer.status, await answer.json()]).toEqual([400, TWICE]);
  });

  test('after the client has used up its requests, whatever it asks for', async () => {
    const api = await openTestApi({ rateLimit: { requests: 2, windowSeconds: 60 } });
    expect((await ask(api, { form: { grant_type: 'password' } })).json).toEqual(OTHER_GRANT);
    expect((await ask(api, { form: { ...GRANT, scope: 'none' } })).json).toEqual(WRONG_SCOPE);
    expect((await ask(api, {})).status).toBe(429);
    expect((await ask(api, { form: { grant_type: 'password' } })).status).toBe(429);
  });
});
