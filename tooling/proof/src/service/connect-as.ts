import { type AccessAdminClient, type ClientOptions, createClient } from '@access-admin/client';
import type { Fleet } from './open-fleet.ts';

/** Registers a client with every scope that acts as an identity, or as an application; one connection to each API. */
export async function connectAs(
  { apis, register }: Pick<Fleet, 'apis' | 'register'>,
  identityId: string | null,
  options: Pick<ClientOptions, 'fetch' | 'retries'> = { retries: 0 },
): Promise<readonly AccessAdminClient[]> {
  const { id, secret } = await register({ identityId });
  return apis.map(({ baseAddress }) => createClient({ ...options, baseAddress, clientId: id, clientSecret: secret }));
}
