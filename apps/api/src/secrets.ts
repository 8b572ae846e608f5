import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Unavailable } from './unavailable.ts';

const KEY_BYTES = 32;
// The work factor OWASP names for scrypt where memory is scarce: about 20 ms on one core, off the event loop.
const COST = { N: 16_384, r: 8, p: 1 };
const deriveAtOnce = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);
// The platform has four threads for this and for verifying tokens: whoever asks for tokens must leave some to those who have one.
const AT_ONCE_MAX = 2;
// Two seconds of work: whoever had to wait for longer has often gone by then.
const WAITING_MAX = 200;

/** Hashes a client secret for storage, as `scrypt:<salt>:<key>` in base64url. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(secret, salt);
  return `scrypt:${salt.toString('base64url')}:${key.toString('base64url')}`;
}

/** Whether the secret is the one that was hashed. Takes as long when there is no hash, so that answers do not tell which ids exist. */
export async function verifySecret(secret: string, secretHash: string | null): Promise<boolean> {
  const [, salt = '', key = ''] = secretHash?.split(':') ?? [];
  const derived = await derive(secret, Buffer.from(salt, 'base64url'));
  const stored = Buffer.from(key, 'base64url');
  return stored.length === KEY_BYTES && timingSafeEqual(derived, stored);
}

let underWay = 0;
const waiting: (() => void)[] = [];

async function derive(secret: string, salt: Buffer): Promise<Buffer> {
  if (underWay < AT_ONCE_MAX) underWay += 1;
  else if (waiting.length >= WAITING_MAX)
    throw new Unavailable('SecretsBusy', `${WAITING_MAX} secrets wait to be checked.`);
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await deriveAtOnce(secret, salt, KEY_BYTES, COST);
  } finally {
    // The next one takes over the place.
    const next = waiting.shift();
    if (next === undefined) underWay -= 1;
    else next();
  }
}
