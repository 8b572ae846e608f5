import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface CeremonyOptions {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  /** Whether the person was verified, for example by a PIN. */
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly type?: string;
}

/** An authenticator in software with one key (ES256, attestation `none`). */
export function createSoftAuthenticator(id = randomBytes(16)) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coseKey = map([
    [unsigned(1), unsigned(2)],
    [unsigned(3), negative(-7)],
    [negative(-1), unsigned(1)],
    [negative(-2), bytes(Buffer.from(x, 'base64url'))],
    [negative(-3), bytes(Buffer.from(y, 'base64url'))],
  ]);
  const dataOf = ({ rpId, isVerified = true, counter = 0 }: CeremonyOptions, attested: Buffer | null) => {
    const flags = 1 | (isVerified ? 4 : 0) | (attested === null ? 0 : 64);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.of(flags), count, attested ?? Buffer.alloc(0)]);
  };
  const clientDataOf = ({ challenge, origin }: CeremonyOptions, type: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };
  return {
    id: credential.id,
    register: (options: CeremonyOptions) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
      const attestationObject = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(dataOf(options, attested))],
      ]);
      const clientData = clientDataOf(options, options.type ?? 'webauthn.create');
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      };
      return { ...credential, response, clientExtensionResults: {} };
    },
    authenticate: (options: CeremonyOptions) => {
      const authenticatorData = dataOf(options, null);
      const clientData = clientDataOf(options, options.type ?? 'webauthn.get');
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      };
      return { ...credential, response, clientExtensionResults: {} };
    },
  };
}

const sha256 = (of: Buffer) => createHash('sha256').update(of).digest();

// The few forms of CBOR that a registration has.
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.of((major << 5) | value);
  return value < 256 ? Buffer.of((major << 5) | 24, value) : Buffer.of((major << 5) | 25, value >> 8, value & 255);
}
const unsigned = (value: number) => head(0, value);
const negative = (value: number) => head(1, -1 - value);
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);
