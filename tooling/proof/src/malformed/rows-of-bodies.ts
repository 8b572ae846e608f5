import { AUTH, ask, each, JSON_TYPE, lengthOf, PREDICT_BODY, predictBody, rows } from './malformed-row.ts';

const PREDICT_MAX = 262_144;
const CLIENT_MAX = 65_536;

/** A body with these further members. */
const withMember = (member: string) => predictBody(`${PREDICT_BODY.slice(0, -1)},${member}}`);
const withMetadata = (json: string) => withMember(`"clientMetadata":${json}`);
const withText = (text: string) => withMetadata(`{"a":"${text}"}`);
const withKey = (key: string) => withMetadata(`{"${key}":""}`);
const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
/** A body of nested arrays, `depth` levels including the body. */
const nested = (depth: number) => withMember(`"x":${arrays(depth - 1)}`);

const send = (line: string, headers: string, body: string) => ask(`${line} HTTP/1.1`, headers + lengthOf(body), body);
const form = (body: string, type = 'application/x-www-form-urlencoded') =>
  send('POST /oauth/token', `Content-Type: ${type}\r\n`, body);
const registered = (size: number) => send('POST /oauth-clients/v1<query>', AUTH + JSON_TYPE, ' '.repeat(size));
/** A patch of an unknown user, nested `depth` levels deep. */
const patched = (depth: number) =>
  send(
    'PATCH /auth-users/v1/i-none',
    `${AUTH}Content-Type: application/json-patch+json\r\n`,
    `[{"op":"test","path":"/capabilities","value":${arrays(depth - 2)}}]`,
  );

/** Rows with unusual contents of bodies. */
export const ROWS_OF_BODIES = rows({
  '404 404 -> open': {
    'a good body': predictBody(PREDICT_BODY),
    'surrogate pair': withText('\\ud83d\\ude00'),
    'characters beyond ASCII': withMetadata(Buffer.from('{"ä":"漢字😀"}').toString('latin1')),
    '__proto__ where any key is allowed': withMetadata('{"__proto__":"a","constructor":"b","toString":"c"}'),
    'a body of 256 KiB': predictBody(PREDICT_BODY.padEnd(PREDICT_MAX)),
    'patch that is nested 32 deep': patched(32),
  },
  '400 400.1 -> open': {
    ...each('body', ['', '  \r\n\t', '[]', 'null', '"x"', '1e400', arrays(100_000), '['.repeat(99_999)], predictBody),
    ...each('before the body', ['\xef\xbb\xbf', '/**/'], (prefix) => predictBody(prefix + PREDICT_BODY)),
    ...each('after the body', ['\0', '{}', `\n${PREDICT_BODY}`], (suffix) => predictBody(PREDICT_BODY + suffix)),
    'UTF-16': predictBody(Buffer.from(PREDICT_BODY, 'utf16le').toString('latin1')),
    ...each('bytes', ['\xff', '\xc3', '\xc0\xaf', '\xed\xa0\x80', '\0', '\x01'], withText),
    ...each('escapes', ['\\ud800', '\\udc00\\ud800', '\\u0000'], withText),
    ...each('key', ['\\udfff', '\\u0000'], withKey),
    ...each(
      'key twice',
      ['"identityId":"x"', '"identity\\u0049d":"x"', '"clientMetadata":{"a":"1","a":"1"}'],
      withMember,
    ),
    ...each(
      'member',
      ['"__proto__":{"identityId":"x"}', '"constructor":{"prototype":{}}', '"toString":"x"'],
      withMember,
    ),
    ...each('member', ['"tenant":"other"', '"x":NaN'], withMember),
    'nested 32 deep: an unknown property': nested(32),
    'nested 33 deep': nested(33),
    'JSON with an additional comma': predictBody(PREDICT_BODY.replace('[]', '[],')),
    'JSON in single quotes': predictBody(PREDICT_BODY.replaceAll('"', "'")),
    'a client to be registered with 64 KiB': registered(CLIENT_MAX),
    'patch that is nested 33 deep': patched(33),
  },
  '400 400.1.0 -> open': {
    ...each('body', ['{}', '{"identityId":"","accessRefs":[]}'], predictBody),
  },
  '400 400.1.3 -> open': {
    ...each('body', ['{"identityId":1,"accessRefs":[]}', '{"identityId":"x","accessRefs":{"length":1}}'], predictBody),
  },
  '400 400.1.4 -> open': {
    '501 access refs': predictBody(`{"identityId":"i-none","accessRefs":[${'0,'.repeat(500)}0]}`),
    '51 keys of metadata': withMetadata(`{${Array.from({ length: 51 }, (_, at) => `"k${at}":""`).join()}}`),
  },
  '400 400.1.2 -> open': {
    'a key of metadata over 64': withKey('k'.repeat(65)),
    'a value of metadata over 512': withText('v'.repeat(513)),
  },
  '400 400.1.404 -> open': {
    'an unknown access ref': predictBody('{"identityId":"i-none","accessRefs":[{"type":"ROLE","id":"none"}]}'),
  },
  '413 413 -> open': {
    'a body of 256 KiB and a byte': predictBody(PREDICT_BODY.padEnd(PREDICT_MAX + 1)),
    'a client to be registered with 64 KiB and a byte': registered(CLIENT_MAX + 1),
  },
  '400 invalid_request -> open': {
    'a token request in JSON': form('{"grant_type":"client_credentials"}', 'application/json'),
    'a token request with two grants': form('grant_type=client_credentials&grant_type=password'),
    'a token request in a form without a boundary': form('x', 'multipart/form-data'),
  },
  '401 invalid_client -> open': {
    'a token request without credentials': form('grant_type=client_credentials'),
  },
  '413 invalid_request -> open': {
    'a token request with a body over 64 KiB': form('x'.repeat(CLIENT_MAX + 1)),
  },
});
