import { CompactSign } from 'jose';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

/** Signs a JSON text with this process's key, as a compact JWS of this `typ`. */
export type SignJson = (type: string, text: string) => Promise<string>;

export const createJsonSigner =
  (keys: Pick<SigningKeys, 'current'>): SignJson =>
  async (type, text) => {
    const { kid, privateKey } = await keys.current();
    return new CompactSign(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: type, kid })
      .sign(privateKey);
  };
