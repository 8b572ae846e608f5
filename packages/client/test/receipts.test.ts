import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type SodCheck,
  type SodReceipt,
  VerificationError,
  type VerifyReceiptOptions,
  verifyReceipt,
} from '../src/index.ts';
import { canonicalJson } from '../src/verification/canonical-json.ts';

const PAGE = readFileSync(new URL('../../../docs/guides/receipts.md', import.meta.url), 'utf8');

/** A block of the page by its name. */
function blockOf(name: string): string {
  const [, block] = new RegExp(`^\`\`\`\\w+ ${name}\\n([\\s\\S]*?)\\n\`\`\`$`, 'm').exec(PAGE) ?? [];
  if (block === undefined) throw new Error(`The page has no block ${name}.`);
  return block;
}

const RECEIPT = blockOf('receipt');
const REQUEST = JSON.parse(blockOf('request'));
const CHECK: SodCheck = JSON.parse(blockOf('check'));
const SAID: SodReceipt = JSON.parse(blockOf('said'));
const JWKS = JSON.parse(blockOf('jwks'));

const verify = (receipt = RECEIPT, options: Partial<VerifyReceiptOptions> = {}) =>
  verifyReceipt(receipt, { jwks: JWKS, ...options });

async function faultOf(verifying: Promise<unknown>): Promise<string> {
  const error = await verifying.then(
    () => new Error('it verifies'),
    (reason: unknown) => reason,
  );
  return error instanceof VerificationError ? error.reason : String(error);
}

const base64url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function jws(header: object, payload: unknown, key: KeyObject): string {
  const content = `${base64url(header)}.${base64url(payload)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

function newKey(kid = 'k') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid }] } };
}

test('the example of the page verifies, with its check and its request', async () => {
  expect(await verify()).toEqual(SAID);
  expect(await verify(RECEIPT, { check: CHECK, request: REQUEST })).toEqual(SAID);
  const { at: _, ...asked } = REQUEST;
  const [{ name: __, ...ref }] = asked.accessRefs;
  expect(canonicalJson({ ...asked, accessRefs: [ref] })).toBe(blockOf('canonical'));
});

test('a request is compared in one form', async () => {
  const same = { ...REQUEST, accessRefs: [{ ...REQUEST.accessRefs[0], start: null, end: undefined }] };
  expect(await verify(RECEIPT, { request: same })).toEqual(SAID);
  const [ref] = REQUEST.accessRefs;
  for (const other of [
    { ...REQUEST, identityId: 'i-0002' },
    { ...REQUEST, accessRefs: [ref, ref] },
    { ...REQUEST, accessRefs: [{ ...ref, start: '2027-01-01T00:00:00Z' }] },
    { ...REQUEST, at: '2027-01-01T00:00:00Z' },
    { ...REQUEST, clientMetadata: null },
  ])
    expect(await faultOf(verify(RECEIPT, { request: other }))).toBe('another request');
});

test('a check that differs from the one of the receipt is told', async () => {
  const { violationCheckResult: result } = CHECK;
  if (result === null) throw new Error('The example has a result.');
  expect(await faultOf(verify(RECEIPT, { check: { ...CHECK, requestId: 'r' } }))).toBe('another check');
  for (const changed of [
    null,
    { ...result, violatedPolicies: [] },
    { ...result, policySetVersion: 2 },
    { ...result, asOf: '2026-11-22T17:02:58.577Z' },
    { ...result, message: 'changed' },
  ])
    expect(await faultOf(verify(RECEIPT, { check: { ...CHECK, violationCheckResult: changed } }))).toBe(
      'another result',
    );
});

test('every changed character of a receipt is found', async () => {
  for (let at = 0; at < RECEIPT.length; at++) {
    const changed = `${RECEIPT.slice(0, at)}${RECEIPT[at] === 'A' ? 'B' : 'A'}${RECEIPT.slice(at + 1)}`;
    expect(['malformed', 'wrong type', 'wrong algorithm', 'unknown key', 'bad signature']).toContain(
      await faultOf(verify(changed)),
    );
  }
});

test('only a receipt of a known key is one', async () => {
  const { privateKey, jwks } = newKey();
  const header = { alg: 'ES256', typ: 'sod-receipt+json', kid: 'k' };
  expect(await verify(jws(header, SAID, privateKey), { jwks })).toEqual(SAID);
  for (const [fault, changed] of [
    ['wrong type', { typ: 'at+jwt' }],
    ['wrong type', { typ: undefined }],
    ['wrong type', { typ: 'audit-head+json' }],
    ['wrong algorithm', { alg: 'none' }],
    ['wrong algorithm', { alg: 'HS256' }],
    ['wrong algorithm', { crit: ['exp'] }],
    ['unknown key', { kid: 'other' }],
    ['unknown key', { kid: undefined }],
  ] as const)
    expect(await faultOf(verify(jws({ ...header, ...changed }, SAID, privateKey), { jwks }))).toBe(fault);
  const receipt = jws(header, SAID, privateKey);
  expect(await faultOf(verify(receipt, { jwks: newKey().jwks }))).toBe('bad signature');
  expect(await faultOf(verify(receipt, { jwks: { keys: [] } }))).toBe('unknown key');
  expect(await faultOf(verify(receipt, { jwks: { keys: [{ ...jwks.keys[0], x: 'AA' }] } }))).toBe('unknown key');
  expect(await faultOf(verify(jws(header, 'no JSON', privateKey), { jwks }))).toBe('malformed');
});

test.each(['', '..', 'a.b', 'a.b.c.d', `${RECEIPT}=`, ` ${RECEIPT}`, `${RECEIPT}.`])(
  '%j is malformed',
  async (text) => {
    expect(await faultOf(verify(text))).toBe('malformed');
  },
);

test('canonical JSON sorts by code units and refuses halves of surrogate pairs', () => {
  const names = ['\ufb33', '\ud83d\ude00', '\u20ac', '\u00f6', '1', '\r'];
  expect(canonicalJson(Object.fromEntries(names.map((name) => [name, [1e30, 4.5, -0, null, { b: undefined }]])))).toBe(
    `{${names
      .toReversed()
      .map((name) => `${JSON.stringify(name)}:[1e+30,4.5,0,null,{}]`)
      .join()}}`,
  );
  expect(() => canonicalJson(['\ud83d'])).toThrow(TypeError);
});
