import { argon2Sync, timingSafeEqual } from 'node:crypto';

/** The cost of a hash: memory in KiB and passes over it. */
export interface Argon2Cost {
  readonly memory: number;
  readonly passes: number;
}

/** The least that OWASP recommends for Argon2id with one lane. */
export const ARGON2_COST: Argon2Cost = { memory: 19_456, passes: 2 };

export const SALT_BYTES = 16;
const TAG_BYTES = 32;
// A stored hash beyond these is not of this service.
const MEMORY_MAX = 1_000_000;
const PASSES_MAX = 64;
const VERSION = 19;

/** The Argon2id hash of a password in the PHC form. */
export function hashPassword(password: string, salt: Uint8Array, cost: Argon2Cost): string {
  const tag = derive(password, salt, cost);
  return `$argon2id$v=${VERSION}$m=${cost.memory},t=${cost.passes},p=1$${encode(salt)}$${encode(tag)}`;
}

/** Whether a password has this hash. False for a hash that is none of this form. */
export function verifyPassword(password: string, stored: string): boolean {
  const parsed = parse(stored);
  return parsed !== null && timingSafeEqual(derive(password, parsed.salt, parsed.cost), parsed.tag);
}

/** Whether a hash has other parameters than new ones. */
export const isOutdated = (stored: string, { memory, passes }: Argon2Cost): boolean =>
  !stored.startsWith(`$argon2id$v=${VERSION}$m=${memory},t=${passes},p=1$`);

const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=1\$([A-Za-z0-9+/]{22,64})\$([A-Za-z0-9+/]{43})$/;

function parse(stored: string) {
  const [, memory, passes, salt = '', tag = ''] = FORM.exec(stored) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes) };
  if (!(cost.memory >= 8 && cost.memory <= MEMORY_MAX && cost.passes >= 1 && cost.passes <= PASSES_MAX)) return null;
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
}

const derive = (password: string, salt: Uint8Array, { memory, passes }: Argon2Cost): Buffer =>
  argon2Sync('argon2id', {
    message: Buffer.from(password),
    nonce: salt,
    parallelism: 1,
    tagLength: TAG_BYTES,
    memory,
    passes,
  });

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
