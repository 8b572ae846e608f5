import type { Enrolled, Passkey, SignInIdentity } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { createSoftAuthenticator } from '../../../test/soft-authenticator.ts';
import { createPasskeys } from './passkey.ts';

const ORIGIN = 'https://acme.access.example';
/** Where the page is, and where an authenticator believes to be. */
const PAGE = { tenant: 'acme', origin: ORIGIN };
const PLACE = { origin: ORIGIN, rpId: 'acme.access.example' };

const ada: SignInIdentity = {
  id: 'ada',
  uid: 'ada',
  displayName: 'Ada',
  active: true,
  capabilities: [],
  authProfile: null,
  password: null,
  totp: null,
  passkeys: [],
  recoveryCodes: null,
  lockedUntil: null,
};

/** The passkeys of one identity. */
function createWorld() {
  const kept: (Passkey & Enrolled)[] = [];
  const identity = () => ({ ...ada, passkeys: kept });
  const passkeys = createPasskeys({
    now: () => new Date('2026-03-01T12:00:00.000Z'),
    credentials: {
      findByPasskey: async (tenant, id) =>
        tenant === 'acme' && kept.some((each) => each.id === id) ? identity() : null,
      usePasskey: async (_tenant, id, { counter }) => {
        const place = kept.findIndex((each) => each.id === id);
        const [passkey] = kept.slice(place);
        if (passkey === undefined || (counter === 0 ? passkey.counter > 0 : counter <= passkey.counter)) return false;
        kept[place] = { ...passkey, counter };
        return true;
      },
    },
  });
  const authenticator = createSoftAuthenticator();
  const enrol = async () => {
    const { challenge } = await passkeys.createRegistration(PAGE, ada);
    const response = authenticator.register({ ...PLACE, challenge });
    const passkey = await passkeys.verifyRegistration(PAGE, { response, challenge, name: 'laptop' });
    if (passkey !== null) kept.push({ ...passkey, usedLink: 'link' });
    return passkey;
  };
  return { passkeys, authenticator, identity, enrol };
}

test('options demand user verification, at the host of the tenant, and name no person to authenticators', async () => {
  const { passkeys, identity, enrol, authenticator } = createWorld();
  await enrol();
  const registration = await passkeys.createRegistration(PAGE, identity());
  expect(registration).toMatchObject({
    rp: { id: 'acme.access.example' },
    excludeCredentials: [{ id: authenticator.id }],
    authenticatorSelection: { userVerification: 'required' },
  });
  expect(Buffer.from(registration.user.id, 'base64url').toString()).not.toContain('ada');
  const authentication = await passkeys.createAuthentication(PAGE, identity());
  const wanted = { rpId: 'acme.access.example', userVerification: 'required' };
  expect(authentication).toMatchObject({ ...wanted, allowCredentials: [{ id: authenticator.id }] });
  expect((await passkeys.createAuthentication(PAGE, null)).allowCredentials ?? []).toEqual([]);
  expect(registration.challenge).not.toBe((await passkeys.createRegistration(PAGE, identity())).challenge);
});

test('an address by number has no passkeys', () => {
  const { passkeys } = createWorld();
  const at = (origin: string) => passkeys.isAvailable({ origin });
  expect(['http://localhost:8080', 'https://x.example', 'http://127.0.0.1:8080', 'http://[::1]:8080'].map(at)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a registered passkey signs in', async () => {
  const { passkeys, authenticator, enrol } = createWorld();
  expect(await enrol()).toEqual({
    id: authenticator.id,
    name: 'laptop',
    publicKey: expect.any(String),
    counter: 0,
    transports: ['internal'],
    created: '2026-03-01T12:00:00.000Z',
    lastUsed: null,
  });
  const { challenge } = await passkeys.createAuthentication(PAGE, null);
  const response = authenticator.authenticate({ ...PLACE, challenge, counter: 1 });
  expect(await passkeys.verifyAuthentication(PAGE, { response, challenge })).toMatchObject({
    identity: { id: 'ada' },
    usedLink: 'link',
  });
  // The same assertion, and a clone that is behind.
  expect(await passkeys.verifyAuthentication(PAGE, { response, challenge })).toBeNull();
});

describe('is refused:', () => {
  const wrong = {
    'another challenge': { challenge: 'b3RoZXI' },
    'another origin': { origin: 'https://evil.example' },
    'a subdomain': { origin: 'https://x.acme.access.example' },
    'another relying party': { rpId: 'evil.example' },
    'without user verification': { isVerified: false },
  };

  test.each(Object.entries(wrong))('a registration for %s', async (_title, change) => {
    const { passkeys, authenticator } = createWorld();
    const { challenge } = await passkeys.createRegistration(PAGE, ada);
    const response = authenticator.register({ ...PLACE, challenge, ...change });
    expect(await passkeys.verifyRegistration(PAGE, { response, challenge, name: 'x' })).toBeNull();
  });

  test.each(Object.entries(wrong))('an assertion for %s', async (_title, change) => {
    const { passkeys, authenticator, enrol } = createWorld();
    await enrol();
    const { challenge } = await passkeys.createAuthentication(PAGE, null);
    const response = authenticator.authenticate({ ...PLACE, challenge, ...change });
    expect(await passkeys.verifyAuthentication(PAGE, { response, challenge })).toBeNull();
  });

  test('an assertion of another key with the same id, or for another tenant', async () => {
    const { passkeys, authenticator, enrol } = createWorld();
    await enrol();
    const { challenge } = await passkeys.createAuthentication(PAGE, null);
    const impostor = createSoftAuthenticator(Buffer.from(authenticator.id, 'base64url'));
    const forged = impostor.authenticate({ ...PLACE, challenge });
    expect(await passkeys.verifyAuthentication(PAGE, { response: forged, challenge })).toBeNull();
    const right = authenticator.authenticate({ ...PLACE, challenge });
    for (const page of [
      { tenant: 'other', origin: ORIGIN },
      { tenant: 'acme', origin: 'https://other.access.example' },
    ])
      expect(await passkeys.verifyAuthentication(page, { response: right, challenge })).toBeNull();
  });

  test.each([
    null,
    'text',
    7,
    [],
    {},
    { id: 'x' },
    { id: 'x', rawId: 'x', type: 'public-key', response: null },
    { id: 'x'.repeat(2_000) },
    { id: '../x', response: {} },
    { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: '%', attestationObject: '' } },
  ])('%j', async (response) => {
    const { passkeys, enrol } = createWorld();
    await enrol();
    expect(await passkeys.verifyRegistration(PAGE, { response, challenge: 'x', name: 'x' })).toBeNull();
    expect(await passkeys.verifyAuthentication(PAGE, { response, challenge: 'x' })).toBeNull();
  });
});
