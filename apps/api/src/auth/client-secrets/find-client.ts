import type { ClientStore, ClientWithSecrets } from '@access-admin/store';

/** Finds a client of any tenant, with the secrets that are valid now. */
export const createFindClient =
  (clients: Pick<ClientStore, 'findForToken'>, now: () => Date) =>
  async (id: string): Promise<ClientWithSecrets | null> => {
    const client = await clients.findForToken(id);
    if (client === null) return null;
    const nowMs = now().getTime();
    return { ...client, secrets: client.secrets.filter(({ endsMs }) => endsMs === null || endsMs > nowMs) };
  };
