import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

const keys = await generateKeyPair('RS256', { extractable: true });
const JWKS = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] };

/** An answer of the provider in place of the right one. */
export interface FakeAnswer {
  readonly status: number;
  readonly body: object | string;
}

/** A provider that answers every code with an ID token of the claims that a test sets. */
export class FakeProvider {
  issuer = '';
  /** Claims beside the usual ones; undefined removes one. */
  claims: Readonly<Record<string, unknown>> = {};
  userInfo: Readonly<Record<string, unknown>> | null = null;
  /** By how much its clock is ahead. */
  aheadSeconds = 0;
  key: CryptoKey | Uint8Array = keys.privateKey;
  algorithm = 'RS256';
  /** Answers in place of the right ones, by path. */
  readonly answers = new Map<string, FakeAnswer>();
  /** The forms that were sent to the token endpoint. */
  readonly tokenRequests: URLSearchParams[] = [];

  readonly server = createServer((request, response) => void this.#answer(request, response));

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (path === '/token') this.tokenRequests.push(new URLSearchParams(await text(request)));
    const { status, body } = this.answers.get(path) ?? { status: 200, body: await this.#bodyOf(path) };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  async #bodyOf(path: string): Promise<object> {
    if (path === '/jwks') return JWKS;
    if (path === '/userinfo') return this.userInfo ?? {};
    if (path !== '/token') return this.#metadata();
    return { access_token: 'x', token_type: 'Bearer', id_token: await this.#signIdToken() };
  }

  #metadata(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      authorization_response_iss_parameter_supported: true,
      ...(this.userInfo === null ? {} : { userinfo_endpoint: `${issuer}/userinfo` }),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  async #signIdToken(): Promise<string> {
    const iat = Math.floor(Date.now() / 1000) + this.aheadSeconds;
    const times = { iat, nbf: iat, exp: iat + 60 };
    const claims = { iss: this.issuer, aud: 'access-admin', sub: 's-1', ...times, ...this.claims };
    if (this.algorithm === 'none') return `${encode({ alg: 'none' })}.${encode(claims)}.`;
    return new SignJWT(claims).setProtectedHeader({ alg: this.algorithm, kid: 'k1' }).sign(this.key);
  }
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Opens a provider on a port of its own until the test ends. */
export async function openFakeProvider(): Promise<FakeProvider> {
  const provider = new FakeProvider();
  provider.server.listen(0, '127.0.0.1');
  onTestFinished(() => void provider.server.close());
  await once(provider.server, 'listening');
  provider.issuer = `http://127.0.0.1:${(provider.server.address() as AddressInfo).port}`;
  return provider;
}
