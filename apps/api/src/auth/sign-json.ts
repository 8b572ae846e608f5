import { KeyObject } from 'node:crypto';
import { signJson } from '@access-admin/store';
import type { SigningKeys } from './signing-keys.ts';

/** Signs a JSON text with this process's key, as a compact JWS of this `typ`. */
export type SignJson = (type: string, text: string) => Promise<string>;

export const createJsonSigner =
  (keys: Pick<SigningKeys, 'current'>): SignJson =>
  async (type, text) => {
    const { kid, privateKey } = await keys.current();
    return signJson({ kid, privateKey: KeyObject.from(privateKey) }, type, text);
  };
