import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Whose secret it is. A sealed secret can be opened for its own owner only. */
export interface SecretOwner {
  /** The kind of secret, which has a key of its own, such as `webhook`. */
  readonly purpose: 'webhook' | 'totp' | 'mail';
  readonly tenant: string;
  readonly id: string;
}

/** Encrypts the secrets that the service must read again. */
export interface SecretCipher {
  /** Encrypts with the current key. */
  seal(owner: SecretOwner, secret: Uint8Array): string;
  /** Null when neither key has sealed it, when it belongs to another owner, or when it was changed. */
  open(owner: SecretOwner, sealed: string): Uint8Array | null;
  /** The id of the current key, with which sealed texts begin after `v1.`. */
  readonly keyId: string;
}

/** What became of secrets that another key had sealed: those that the present key seals now, and those that it cannot open. */
export interface Resealed {
  readonly sealed: number;
  readonly failed: number;
}

/** The keys of an operator: any texts that are hard to guess. */
export interface SecretKeys {
  readonly current: string;
  /** A key that still opens secrets while they are sealed again; null without one. */
  readonly previous: string | null;
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 6;

/** AES-256-GCM with keys derived by HKDF-SHA-256, one for each purpose. */
export function createSecretCipher({ current, previous }: SecretKeys): SecretCipher {
  const newest = createKey(current);
  const ring = previous === null ? [newest] : [newest, createKey(previous)];
  return {
    keyId: newest.id,
    seal: (owner, secret) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, newest.of(owner.purpose), nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(owner));
      const bytes = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
      return `v1.${newest.id}.${bytes.toString('base64url')}`;
    },
    open: (owner, sealed) => {
      const [version, id, text = ''] = sealed.split('.');
      const key = ring.find((each) => each.id === id);
      const bytes = Buffer.from(text, 'base64url');
      if (version !== 'v1' || key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(ALGORITHM, key.of(owner.purpose), bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(associatedData(owner));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}

/** A value that tells whether a key is the right one, and from which the key cannot be found. */
export const checkValueOf = (key: string, salt: string): string =>
  derive(key, `check ${salt}`, KEY_BYTES).toString('base64url');

interface DerivedKey {
  readonly id: string;
  of(purpose: SecretOwner['purpose']): Buffer;
}

function createKey(key: string): DerivedKey {
  const derived = new Map<string, Buffer>();
  return {
    id: derive(key, 'id', KEY_ID_BYTES).toString('base64url'),
    of: (purpose) => {
      const known = derived.get(purpose) ?? derive(key, `seal ${purpose}`, KEY_BYTES);
      derived.set(purpose, known);
      return known;
    },
  };
}

const derive = (key: string, info: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `access-admin secrets v1 ${info}`, bytes));

const associatedData = ({ purpose, tenant, id }: SecretOwner): Buffer =>
  Buffer.from(JSON.stringify([purpose, tenant, id]));
