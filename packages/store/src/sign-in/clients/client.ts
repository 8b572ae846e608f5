import type { Capability, ClientStanding, Result } from '@access-admin/domain';

/** A registered client of the token endpoint. */
export interface Client {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The identity that the client acts as; null for an application. */
  readonly identityId: string | null;
  readonly created: string;
  /** Whether it always has every scope of the running version. */
  readonly isBootstrap: boolean;
  /** Whether it has the limits of a session, because a session or such a client has given it a secret or a scope. */
  readonly isSessionBound: boolean;
  /** The hour in which it was used last (ISO 8601); null before its first use. */
  readonly lastUsed: string | null;
}

/** A client to store, with the hash of its first secret, in a form that only the API understands. */
export interface NewClient extends Omit<Client, 'isBootstrap' | 'isSessionBound' | 'lastUsed'> {
  readonly secretHash: string;
  /** False where it is left out. */
  readonly isSessionBound?: boolean;
}

/** A secret of a client. */
export interface ClientSecret {
  /** Tells the secrets of a client apart: tokens name the one they were made with. */
  readonly version: number;
  readonly hash: string;
  /** When it ends; null for the present one. */
  readonly endsMs: number | null;
}

/** A client with its present secret and the one before, which may have ended. */
export interface ClientWithSecrets extends Client {
  readonly secrets: readonly ClientSecret[];
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
  /** The version of its present secret. */
  readonly secretVersion: number;
  /** When the secret of the version before ends; null where it ended with its replacement. */
  readonly previousSecretEndsMs: number | null;
  /**
   * The capabilities that the identity had which made the present secret, and that which made the one before; null where an
   * application made it, and for an application. The client is refused where its identity has one that this maker lacked.
   */
  readonly makerCapabilities: readonly Capability[] | null;
  readonly previousMakerCapabilities: readonly Capability[] | null;
  readonly isSessionBound: boolean;
}

/** The data that a change or a deletion of a client is decided on. */
export interface ClientView {
  readonly client: Client;
  readonly standing: ClientStanding;
}

/** The data that the replacement of a secret is decided on. */
export interface SecretView {
  readonly client: Client;
  /** The version of the present secret. */
  readonly version: number;
}

/** A secret that replaces the present one of a client. */
export interface SecretReplacement<F, G> {
  readonly hash: string;
  /** When the secret that is replaced ends; null for at once. The one before that ends at once. */
  readonly previousEndsMs: number | null;
  /** Whether the client gets the limits of a session; false where it is left out. It keeps those that it has. */
  readonly isSessionBound?: boolean;
  readonly precondition?: (client: Client) => Result<unknown, G>;
  readonly decide: (view: SecretView) => Result<unknown, F>;
}

/**
 * A client as it was created or changed: lists the properties, so that none that storage adds is ever shown. Its use is no
 * change of it.
 */
export const showClient = ({
  id,
  name,
  scopes,
  identityId,
  tenant,
  created,
  isBootstrap,
}: Omit<Client, 'isSessionBound' | 'lastUsed'>) => ({
  id,
  name,
  scopes,
  identityId,
  tenant,
  created,
  ...(isBootstrap && { bootstrap: true as const }),
});

/** A client as answers and events have it, with its last use. */
export const showUsedClient = ({ lastUsed, ...client }: Omit<Client, 'isSessionBound'>) => ({
  ...showClient(client),
  lastUsed,
});
