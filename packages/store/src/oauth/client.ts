import type { Capability, ClientStanding } from '@access-admin/domain';

/** A registered client of the token endpoint. */
export interface Client {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The identity that the client acts as; null for an application. */
  readonly identityId: string | null;
  readonly created: string;
}

/** A client with the hash of its secret, in a form that only the API understands. */
export interface ClientWithSecret extends Client {
  readonly secretHash: string;
}

/** The current data of a caller for authorization. */
export interface CallerRights {
  /** Null for an application. */
  readonly identityId: string | null;
  /** Null when the identity of the client was deleted; empty for an application. */
  readonly capabilities: readonly Capability[] | null;
}

/** The current data of a client that calls. */
export interface CallingClient extends CallerRights {
  readonly scopes: ReadonlySet<string>;
  /** Tells the client from another one that had the same id. */
  readonly created: string;
}

/** The data that a change or a deletion of a client is decided on. */
export interface ClientView {
  readonly client: Client;
  readonly standing: ClientStanding;
}

/** A client as answers show it: lists the properties, so that none that storage adds is ever shown. */
export const showClient = ({ id, name, scopes, identityId, tenant, created }: Client) => ({
  id,
  name,
  scopes,
  identityId,
  tenant,
  created,
});
