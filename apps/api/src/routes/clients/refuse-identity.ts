import { authorizeActingIdentity, type Caller, type Forbidden, failure } from '@access-admin/domain';
import type { Client, ClientStore } from '@access-admin/store';

export const NO_CLIENT = failure('NotFound', '', 'There is no such client.');

/** Whether a caller may not know a secret of a client, by the identity that the client acts as. Null also for an application, and for an identity that does not exist. */
export async function refuseIdentity(
  clients: Pick<ClientStore, 'findCapabilities'>,
  { tenant, identityId }: Pick<Client, 'tenant' | 'identityId'>,
  caller: Caller,
): Promise<Forbidden | null> {
  const capabilities = identityId === null ? null : await clients.findCapabilities(tenant, identityId);
  return capabilities === null ? null : authorizeActingIdentity(capabilities, caller);
}
