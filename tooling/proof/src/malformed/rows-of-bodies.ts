import { ask, lengthOf, type MalformedRow, PREDICT_BODY, predict, predictBody, utf8 } from './malformed-row.ts';

const BOTH = { leaves: 'open', lanes: true } as const;
const MALFORMED = { answers: ['400 400.1'], ...BOTH } as const;
/** The body was understood: the identity that it names is not there. */
const TAKEN = { answers: ['404 404'], ...BOTH } as const;
const ILLEGAL = { answers: ['400 400.1.3'], ...BOTH } as const;
const MISSING = { answers: ['400 400.1.0'], ...BOTH } as const;

const PREDICT_MAX = 262_144;
const CLIENT_MAX = 65_536;

/** A body with these further members. */
const withMember = (member: string) => predictBody(`${PREDICT_BODY.slice(0, -1)},${member}}`);
const metadata = (json: string) => withMember(`"clientMetadata":${json}`);
/** Arrays in each other, `depth` of them with the body itself. */
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

/** A patch of nobody, whose arrays and objects are so deep in each other. */
const patched =
  (depth: number): MalformedRow['send'] =>
  ({ host, auth }) => {
    const body = `[{"op":"test","path":"/capabilities","value":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}]`;
    const type = 'Content-Type: application/json-patch+json\r\n';
    return `PATCH /auth-users/v1/nobody HTTP/1.1\r\n${host}${auth}${type}${lengthOf(body)}\r\n${body}`;
  };

/** What a body holds. */
export const ROWS_OF_BODIES: readonly MalformedRow[] = [
  { name: 'a good body', send: predictBody(PREDICT_BODY), ...TAKEN },
  { name: 'empty body', send: predictBody(''), ...MALFORMED },
  { name: 'body of spaces', send: predictBody('  \r\n\t'), ...MALFORMED },
  { name: 'byte order mark', send: predictBody(`\xef\xbb\xbf${PREDICT_BODY}`), ...MALFORMED },
  { name: 'UTF-16', send: predictBody(Buffer.from(PREDICT_BODY, 'utf16le').toString('latin1')), ...MALFORMED },
  { name: 'byte that is no UTF-8', send: metadata('{"a":"\xff"}'), ...MALFORMED },
  { name: 'UTF-8 that is cut', send: metadata('{"a":"\xc3"}'), ...MALFORMED },
  { name: 'UTF-8 that is too long for its character', send: metadata('{"a":"\xc0\xaf"}'), ...MALFORMED },
  { name: 'lone surrogate, raw', send: metadata('{"a":"\xed\xa0\x80"}'), ...MALFORMED },
  { name: 'lone surrogate, escaped', send: metadata('{"a":"\\ud800"}'), ...MALFORMED },
  { name: 'lone surrogate in a key', send: metadata('{"\\udfff":"a"}'), ...MALFORMED },
  { name: 'surrogates in the wrong order', send: metadata('{"a":"\\udc00\\ud800"}'), ...MALFORMED },
  { name: 'surrogate pair', send: metadata('{"a":"\\ud83d\\ude00"}'), ...TAKEN },
  { name: 'NUL, escaped', send: metadata('{"a":"\\u0000"}'), ...MALFORMED },
  { name: 'NUL in a key', send: metadata('{"\\u0000":"a"}'), ...MALFORMED },
  { name: 'NUL, raw', send: metadata('{"a":"\0"}'), ...MALFORMED },
  { name: 'NUL behind the body', send: predictBody(`${PREDICT_BODY}\0`), ...MALFORMED },
  { name: 'control character, raw', send: metadata('{"a":"\x01"}'), ...MALFORMED },
  { name: 'characters beyond ASCII', send: metadata(utf8('{"ä":"漢字😀"}')), ...TAKEN },
  { name: 'key twice', send: withMember('"identityId":"x"'), ...MALFORMED },
  { name: 'key twice, once escaped', send: withMember('"identity\\u0049d":"x"'), ...MALFORMED },
  { name: 'key twice, deep down', send: metadata('{"a":"1","a":"1"}'), ...MALFORMED },
  { name: '__proto__', send: withMember('"__proto__":{"identityId":"x"}'), ...MALFORMED },
  { name: 'constructor', send: withMember('"constructor":{"prototype":{}}'), ...MALFORMED },
  { name: 'toString', send: withMember('"toString":"x"'), ...MALFORMED },
  {
    name: '__proto__ where any key may be',
    send: metadata('{"__proto__":"a","constructor":"b","toString":"c"}'),
    ...TAKEN,
  },
  { name: 'unknown property', send: withMember('"tenant":"other"'), ...MALFORMED },
  { name: 'nested 32 deep: an unknown property', send: nested(32), ...MALFORMED },
  { name: 'patch that is nested 32 deep', send: patched(32), answers: ['404 404'], leaves: 'open' },
  { name: 'patch that is nested 33 deep', send: patched(33), answers: ['400 400.1'], leaves: 'open' },
  { name: 'nested 33 deep', send: nested(33), ...MALFORMED },
  { name: 'nested 100,000 deep', send: predictBody('['.repeat(100_000)), ...MALFORMED },
  { name: 'nested 100,000 deep and whole', send: predictBody('['.repeat(100_000) + ']'.repeat(100_000)), ...MALFORMED },
  { name: 'JSON and more behind it', send: predictBody(`${PREDICT_BODY}{}`), ...MALFORMED },
  { name: 'two bodies, a line each', send: predictBody(`${PREDICT_BODY}\n${PREDICT_BODY}`), ...MALFORMED },
  { name: 'JSON with a comment', send: predictBody(`/**/${PREDICT_BODY}`), ...MALFORMED },
  { name: 'JSON with a comma too many', send: predictBody(PREDICT_BODY.replace('[]', '[],')), ...MALFORMED },
  { name: 'JSON in single quotes', send: predictBody(PREDICT_BODY.replaceAll('"', "'")), ...MALFORMED },
  { name: 'NaN', send: withMember('"x":NaN'), ...MALFORMED },
  { name: 'an array', send: predictBody('[]'), ...MALFORMED },
  { name: 'null', send: predictBody('null'), ...MALFORMED },
  { name: 'a string', send: predictBody('"x"'), ...MALFORMED },
  { name: 'a number beyond all numbers', send: predictBody('1e400'), ...MALFORMED },
  { name: 'a body without what is required', send: predictBody('{}'), ...MISSING },
  { name: 'a required property that is empty', send: predictBody('{"identityId":"","accessRefs":[]}'), ...MISSING },
  { name: 'a property of the wrong type', send: predictBody('{"identityId":1,"accessRefs":[]}'), ...ILLEGAL },
  {
    name: 'an object for an array',
    send: predictBody('{"identityId":"nobody","accessRefs":{"length":1}}'),
    ...ILLEGAL,
  },
  {
    name: '501 access refs',
    send: predictBody(`{"identityId":"nobody","accessRefs":[${'0,'.repeat(500)}0]}`),
    answers: ['400 400.1.4'],
    ...BOTH,
  },
  {
    name: '51 keys of metadata',
    send: metadata(`{${Array.from({ length: 51 }, (_, at) => `"k${at}":""`).join()}}`),
    answers: ['400 400.1.4'],
    ...BOTH,
  },
  { name: 'a key of metadata over 64', send: metadata(`{"${'k'.repeat(65)}":""}`), answers: ['400 400.1.2'], ...BOTH },
  {
    name: 'a value of metadata over 512',
    send: metadata(`{"k":"${'v'.repeat(513)}"}`),
    answers: ['400 400.1.2'],
    ...BOTH,
  },
  {
    name: 'an unknown access ref',
    send: predictBody('{"identityId":"nobody","accessRefs":[{"type":"ROLE","id":"none"}]}'),
    answers: ['400 400.1.404'],
    ...BOTH,
  },
  { name: 'a body of 256 KiB', send: predictBody(PREDICT_BODY.padEnd(PREDICT_MAX)), ...TAKEN },
  {
    name: 'a body of 256 KiB and a byte',
    send: predictBody(PREDICT_BODY.padEnd(PREDICT_MAX + 1)),
    answers: ['413 413'],
    ...BOTH,
  },
  { name: 'a client to be registered with 64 KiB', send: registered(CLIENT_MAX), ...MALFORMED },
  {
    name: 'a client to be registered with 64 KiB and a byte',
    send: registered(CLIENT_MAX + 1),
    answers: ['413 413'],
    ...BOTH,
  },
  {
    name: 'a token asked for in JSON',
    send: form('{"grant_type":"client_credentials"}', 'application/json'),
    answers: ['400 invalid_request'],
    leaves: 'open',
  },
  {
    name: 'a token asked for without credentials',
    send: form('grant_type=client_credentials'),
    answers: ['401 invalid_client'],
    leaves: 'open',
  },
  {
    name: 'a token asked for with the grant twice',
    send: form('grant_type=client_credentials&grant_type=password'),
    answers: ['400 invalid_request'],
    leaves: 'open',
  },
  {
    name: 'a token asked for with a body over 64 KiB',
    send: form('x'.repeat(CLIENT_MAX + 1)),
    answers: ['413 invalid_request'],
    leaves: 'open',
  },
  {
    name: 'a token asked for in a form without a boundary',
    send: form('x', 'multipart/form-data'),
    answers: ['400 invalid_request'],
    leaves: 'open',
  },
];
