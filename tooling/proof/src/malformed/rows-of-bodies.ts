import { ask, lengthOf, type MalformedRow, PREDICT_BODY, predict, predictBody, rows, utf8 } from './malformed-row.ts';

const PREDICT_MAX = 262_144;
const CLIENT_MAX = 65_536;

/** A body with these further members. */
const withMember = (member: string) => predictBody(`${PREDICT_BODY.slice(0, -1)},${member}}`);
const metadata = (json: string) => withMember(`"clientMetadata":${json}`);
/** A body of nested arrays, `depth` levels including the body. */
const nested = (depth: number) => withMember(`"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`);

const form = (body: string, type = 'application/x-www-form-urlencoded') =>
  ask('POST /oauth/token HTTP/1.1', `Content-Type: ${type}\r\n${lengthOf(body)}`, body);
const registered =
  (size: number): MalformedRow['send'] =>
  (world) =>
    predict(
      lengthOf(' '.repeat(size)),
      ' '.repeat(size),
    )({ ...world, predict: world.predict.replace('sod-violations/v1/predict', 'oauth-clients/v1') });

/** A patch of an unknown user, nested `depth` levels deep. */
const patched =
  (depth: number): MalformedRow['send'] =>
  ({ host, auth }) => {
    const body = `[{"op":"test","path":"/capabilities","value":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}]`;
    const type = 'Content-Type: application/json-patch+json\r\n';
    return `PATCH /auth-users/v1/nobody HTTP/1.1\r\n${host}${auth}${type}${lengthOf(body)}\r\n${body}`;
  };

/** Rows with unusual contents of bodies. */
export const ROWS_OF_BODIES = rows({
  '404 404 -> open, lanes': {
    'a good body': predictBody(PREDICT_BODY),
    'surrogate pair': metadata('{"a":"\\ud83d\\ude00"}'),
    'characters beyond ASCII': metadata(utf8('{"ä":"漢字😀"}')),
    '__proto__ where any key may be': metadata('{"__proto__":"a","constructor":"b","toString":"c"}'),
    'a body of 256 KiB': predictBody(PREDICT_BODY.padEnd(PREDICT_MAX)),
  },
  '400 400.1 -> open, lanes': {
    'empty body': predictBody(''),
    'body of spaces': predictBody('  \r\n\t'),
    'byte order mark': predictBody(`\xef\xbb\xbf${PREDICT_BODY}`),
    'UTF-16': predictBody(Buffer.from(PREDICT_BODY, 'utf16le').toString('latin1')),
    'byte that is no UTF-8': metadata('{"a":"\xff"}'),
    'UTF-8 that is cut': metadata('{"a":"\xc3"}'),
    'UTF-8 that is too long for its character': metadata('{"a":"\xc0\xaf"}'),
    'lone surrogate, raw': metadata('{"a":"\xed\xa0\x80"}'),
    'lone surrogate, escaped': metadata('{"a":"\\ud800"}'),
    'lone surrogate in a key': metadata('{"\\udfff":"a"}'),
    'surrogates in the wrong order': metadata('{"a":"\\udc00\\ud800"}'),
    'NUL, escaped': metadata('{"a":"\\u0000"}'),
    'NUL in a key': metadata('{"\\u0000":"a"}'),
    'NUL, raw': metadata('{"a":"\0"}'),
    'NUL behind the body': predictBody(`${PREDICT_BODY}\0`),
    'control character, raw': metadata('{"a":"\x01"}'),
    'key twice': withMember('"identityId":"x"'),
    'key twice, once escaped': withMember('"identity\\u0049d":"x"'),
    'key twice, deep down': metadata('{"a":"1","a":"1"}'),
    __proto__: withMember('"__proto__":{"identityId":"x"}'),
    constructor: withMember('"constructor":{"prototype":{}}'),
    toString: withMember('"toString":"x"'),
    'unknown property': withMember('"tenant":"other"'),
    'nested 32 deep: an unknown property': nested(32),
    'nested 33 deep': nested(33),
    'nested 100,000 deep': predictBody('['.repeat(100_000)),
    'nested 100,000 deep and whole': predictBody('['.repeat(100_000) + ']'.repeat(100_000)),
    'JSON and more behind it': predictBody(`${PREDICT_BODY}{}`),
    'two bodies, a line each': predictBody(`${PREDICT_BODY}\n${PREDICT_BODY}`),
    'JSON with a comment': predictBody(`/**/${PREDICT_BODY}`),
    'JSON with a comma too many': predictBody(PREDICT_BODY.replace('[]', '[],')),
    'JSON in single quotes': predictBody(PREDICT_BODY.replaceAll('"', "'")),
    NaN: withMember('"x":NaN'),
    'an array': predictBody('[]'),
    null: predictBody('null'),
    'a string': predictBody('"x"'),
    'a number beyond all numbers': predictBody('1e400'),
    'a client to be registered with 64 KiB': registered(CLIENT_MAX),
  },
  '404 404 -> open': {
    'patch that is nested 32 deep': patched(32),
  },
  '400 400.1 -> open': {
    'patch that is nested 33 deep': patched(33),
  },
  '400 400.1.0 -> open, lanes': {
    'a body without what is required': predictBody('{}'),
    'a required property that is empty': predictBody('{"identityId":"","accessRefs":[]}'),
  },
  '400 400.1.3 -> open, lanes': {
    'a property of the wrong type': predictBody('{"identityId":1,"accessRefs":[]}'),
    'an object for an array': predictBody('{"identityId":"nobody","accessRefs":{"length":1}}'),
  },
  '400 400.1.4 -> open, lanes': {
    '501 access refs': predictBody(`{"identityId":"nobody","accessRefs":[${'0,'.repeat(500)}0]}`),
    '51 keys of metadata': metadata(`{${Array.from({ length: 51 }, (_, at) => `"k${at}":""`).join()}}`),
  },
  '400 400.1.2 -> open, lanes': {
    'a key of metadata over 64': metadata(`{"${'k'.repeat(65)}":""}`),
    'a value of metadata over 512': metadata(`{"k":"${'v'.repeat(513)}"}`),
  },
  '400 400.1.404 -> open, lanes': {
    'an unknown access ref': predictBody('{"identityId":"nobody","accessRefs":[{"type":"ROLE","id":"none"}]}'),
  },
  '413 413 -> open, lanes': {
    'a body of 256 KiB and a byte': predictBody(PREDICT_BODY.padEnd(PREDICT_MAX + 1)),
    'a client to be registered with 64 KiB and a byte': registered(CLIENT_MAX + 1),
  },
  '400 invalid_request -> open': {
    'a token asked for in JSON': form('{"grant_type":"client_credentials"}', 'application/json'),
    'a token asked for with the grant twice': form('grant_type=client_credentials&grant_type=password'),
    'a token asked for in a form without a boundary': form('x', 'multipart/form-data'),
  },
  '401 invalid_client -> open': {
    'a token asked for without credentials': form('grant_type=client_credentials'),
  },
  '413 invalid_request -> open': {
    'a token asked for with a body over 64 KiB': form('x'.repeat(CLIENT_MAX + 1)),
  },
});
