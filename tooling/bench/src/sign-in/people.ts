import { argon2Sync, randomBytes } from 'node:crypto';
import type { RunningApi, Service } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { TENANT } from '../world/seed-population.ts';

/** A password that is long enough and not common. */
export const PASSWORD = 'correct horse battery staple';

/** People of one identity profile, each with the username `<profile>-<number>`. */
export interface People {
  readonly profile: string;
  readonly type: 'NON_PTA' | 'BLOCK';
  readonly count: number;
}

export const usernameOf = (profile: string, number: number): string => `${profile}-${number}`;

/** Imports people, and gives each the password in the store: setting it at a page would take a hash for each. */
export async function addPeople(
  { service, api }: { readonly service: Service; readonly api: RunningApi },
  groups: readonly People[],
): Promise<void> {
  const lines = groups.flatMap(({ profile, type, count }) => [
    { kind: 'identityProfile', id: profile, name: profile, authProfile: { type } },
    ...Array.from({ length: count }, (_, number) => {
      const id = usernameOf(profile, number);
      return { kind: 'identity', id, uid: id, identityProfile: profile };
    }),
  ]);
  await api.client.accessModel.import(lines.map((line) => JSON.stringify(line)).join('\n'));
  await using store = await openStore(service.databaseUrl);
  const hash = hashOf(PASSWORD);
  for (const { profile, count } of groups)
    for (let number = 0; number < count; number++) {
      const password = { hash, link: null, keepSession: null };
      const stored = await store.credentials.setPassword(contextOf(), usernameOf(profile, number), password);
      if (stored !== 'STORED') throw new Error(stored);
    }
}

const contextOf = () => ({
  ...{ tenant: TENANT, actor: { clientId: 'bench', identityId: null }, operation: 'bench' },
  ...{ time: new Date().toISOString(), trackingId: '0'.repeat(32) },
});

/** The parameters of the service, which would otherwise replace the hash at the first sign-in. */
export const COST = { memory: 19_456, passes: 2 };

/** Argon2id in the PHC form, as the service stores it. */
export function hashOf(password: string): string {
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', { message: password, nonce, parallelism: 1, tagLength: 32, ...COST });
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=1$${encode(nonce)}$${encode(tag)}`;
}

/** The bytes of a sign-in from an address behind a trusted proxy, as a browser posts the form. */
export function loginRequest(
  port: number,
  { username, password, address }: { readonly username: string; readonly password: string; readonly address: string },
): Buffer {
  const body = new URLSearchParams({ username, password }).toString();
  const headers = [
    'POST /login HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Origin: http://127.0.0.1:${port}`,
    `X-Forwarded-For: ${address}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`);
}
