import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VerificationError, type VerifyWebhookOptions } from '../src/index.ts';
import { verifyWebhookOn } from '../src/verification/webhook.ts';

// The vector of the libraries of Standard Webhooks.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const SECONDS = 1_614_265_330;
const BODY = '{"test": 2432232314}';
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
// That of another body.
const OTHER_SIGNATURE = 'v1,TW/pFPJ2/LwRQdgfM7WklE9yJiRyMs0cTpVPK8leNAU=';

const headersWith = (changes: Readonly<Record<string, string | undefined>> = {}) => ({
  'webhook-id': ID,
  'webhook-timestamp': String(SECONDS),
  'webhook-signature': SIGNATURE,
  ...changes,
});

const verify = (changes: Partial<VerifyWebhookOptions> = {}, seconds = SECONDS) =>
  verifyWebhookOn<unknown>(
    { now: () => seconds * 1000 + 999 },
    { body: BODY, headers: headersWith(), secrets: [SECRET], ...changes },
  );

async function faultOf(verifying: Promise<unknown>): Promise<string> {
  const error = await verifying.then(
    () => new Error('it verifies'),
    (reason: unknown) => reason,
  );
  return error instanceof VerificationError ? error.reason : String(error);
}

const sign = (secret: string, content: string | Buffer) =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(content)
    .digest('base64')}`;

describe('the vector of Standard Webhooks', () => {
  test('verifies as text and as bytes, with headers of any kind', async () => {
    const bytes = new TextEncoder().encode(BODY);
    const upper = Object.fromEntries(Object.entries(headersWith()).map(([name, value]) => [name.toUpperCase(), value]));
    for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY)])
      for (const headers of [headersWith(), upper, new Headers(headersWith())])
        expect(await verify({ body, headers })).toEqual({ test: 2432232314 });
    expect(await verify({ secrets: SECRET })).toEqual({ test: 2432232314 });
  });

  test('verifies where one of several signatures and secrets fits, as during a rotation', async () => {
    const other = `whsec_${Buffer.from('another secret').toString('base64')}`;
    const several = headersWith({ 'webhook-signature': `v1a,abc ${OTHER_SIGNATURE} ${SIGNATURE}` });
    expect(await verify({ headers: several, secrets: [other, SECRET] })).toEqual({ test: 2432232314 });
    expect(await faultOf(verify({ secrets: [other] }))).toBe('bad signature');
  });

  test.each([
    ['missing header', { headers: headersWith({ 'webhook-id': undefined }) }],
    ['missing header', { headers: headersWith({ 'webhook-signature': '' }) }],
    ['malformed timestamp', { headers: headersWith({ 'webhook-timestamp': '1.5' }) }],
    ['malformed timestamp', { headers: headersWith({ 'webhook-timestamp': 'now' }) }],
    ['bad signature', { headers: headersWith({ 'webhook-signature': OTHER_SIGNATURE }) }],
    ['bad signature', { headers: headersWith({ 'webhook-signature': SIGNATURE.replace('v1,', 'v2,') }) }],
    ['bad signature', { headers: headersWith({ 'webhook-signature': `${SIGNATURE}A` }) }],
    ['bad signature', { headers: headersWith({ 'webhook-id': 'msg_other' }) }],
    ['bad signature', { body: `${BODY} ` }],
    ['malformed secret', { secrets: ['whsec_'] }],
    ['malformed secret', { secrets: ['whsec_!'] }],
    ['malformed secret', { secrets: [] }],
  ])('is refused as %s', async (fault, changes) => {
    expect(await faultOf(verify(changes))).toBe(fault);
  });

  test('is too old or too new beyond the tolerance, 300 s if none is given', async () => {
    for (const [after, fault] of [
      [300, null],
      [301, 'too old'],
      [-300, null],
      [-301, 'too new'],
    ] as const) {
      const verifying = verify({}, SECONDS + after);
      if (fault === null) await verifying;
      else expect(await faultOf(verifying)).toBe(fault);
    }
    expect(await faultOf(verify({ toleranceSeconds: 10 }, SECONDS + 11))).toBe('too old');
  });

  test('is refused where the body was parsed, and where it is signed but no JSON', async () => {
    await expect(verify({ body: JSON.parse(BODY) })).rejects.toThrow(TypeError);
    const signature = sign(SECRET, `${ID}.${SECONDS}.no JSON`);
    const headers = headersWith({ 'webhook-signature': signature });
    expect(await faultOf(verify({ body: 'no JSON', headers }))).toBe('malformed body');
  });
});

test('any event verifies with its secret, and with no changed byte', async () => {
  const bytesOf = (minLength: number) => fc.uint8Array({ minLength, maxLength: 64 });
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue({ stringUnit: 'binary' }),
      bytesOf(1),
      fc.nat(),
      fc.integer({ min: 0, max: 7 }),
      async (event, key, at, bit) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const body = Buffer.from(JSON.stringify(event));
        const signature = sign(secret, Buffer.concat([Buffer.from(`${ID}.${SECONDS}.`), body]));
        const headers = headersWith({ 'webhook-signature': signature });
        expect(await verify({ body, headers, secrets: [secret] })).toEqual(JSON.parse(body.toString()));
        const changed = Buffer.from(body);
        changed[at % body.length] = (body[at % body.length] ?? 0) ^ (1 << bit);
        expect(await faultOf(verify({ body: changed, headers, secrets: [secret] }))).toBe('bad signature');
      },
    ),
  );
});
