import type { Scope } from '@access-admin/domain';
import type { Fleet } from '../service/open-fleet.ts';
import { requestToken } from '../service/request-token.ts';

export interface ClientPlan {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  /** Left out for an application. */
  readonly identityId?: string;
  /** Whether others may delete it: its token is not renewed. */
  readonly isExpendable?: true;
}

export interface Registered {
  readonly id: string;
  readonly secret: string;
  /** The one that it has at the moment. */
  token(): string;
}

/** Clients of several tenants, with their tokens. */
export interface Registry {
  readonly baseAddress: string;
  /** Every secret and every token that there was. */
  readonly secrets: readonly string[];
  register(plan: ClientPlan): Promise<Registered>;
  /** Deletes a client; the token that it had stays. */
  remove(client: Registered): Promise<void>;
  /** Gets new tokens for all that are there once those that they have are old. */
  renew(): Promise<void>;
}

/** A third of the time for which a token is good. */
const RENEW_AFTER_MS = 5 * 60_000;

export function createRegistry({ apis, connect }: Fleet): Registry {
  const [api] = apis;
  if (api === undefined) throw new Error('there is no API');
  const { baseAddress } = api;
  const { oauthClients } = connect(api);
  const secrets: string[] = [];
  const tokens = new Map<string, string>();
  const living = new Map<string, string>();
  let renewedMs = performance.now();
  const getToken = async (id: string, secret: string) => {
    const token = await requestToken(baseAddress, id, secret);
    tokens.set(id, token);
    secrets.push(token);
  };
  return {
    baseAddress,
    secrets,
    register: async ({ tenant, scopes, identityId = null, isExpendable }) => {
      const { id, secret } = await oauthClients.create({ name: 'door', scopes, tenant, identityId });
      secrets.push(secret);
      if (isExpendable === undefined) living.set(id, secret);
      await getToken(id, secret);
      return { id, secret, token: () => tokens.get(id) ?? '' };
    },
    remove: async ({ id }) => {
      living.delete(id);
      await oauthClients.delete(id);
    },
    renew: async () => {
      if (performance.now() - renewedMs < RENEW_AFTER_MS) return;
      renewedMs = performance.now();
      for (const [id, secret] of living) await getToken(id, secret);
    },
  };
}
