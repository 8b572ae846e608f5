import { type AccessAdminClient, type ClientOptions, createClient } from '@access-admin/client';
import { SCOPES } from '@access-admin/domain';
import type { Fleet } from './open-fleet.ts';

type SlowKind = Pick<ClientOptions, 'fetch' | 'retries'>;

/** Registers a client with every scope that acts as an identity, or as an application; it is then connected to each API. */
export async function connectTo(
  { apis, connect }: Pick<Fleet, 'apis' | 'connect'>,
  identityId: string | null,
  kind: SlowKind = { retries: 0 },
): Promise<readonly AccessAdminClient[]> {
  const [first] = apis;
  if (first === undefined) throw new Error('there is no API');
  const { id, secret } = await connect(first).oauthClients.create({ name: 'proof', scopes: SCOPES, identityId });
  return apis.map(({ baseAddress }) => createClient({ ...kind, baseAddress, clientId: id, clientSecret: secret }));
}
