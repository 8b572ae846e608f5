import { type newOauthClient, oauthClientSettings, type secretRotation, validate } from '@access-admin/contract';
import {
  authorizeActingIdentity,
  authorizeNewClient,
  authorizeSecretRotation,
  type Caller,
  type Failure,
  type Forbidden,
  fail,
  failure,
  type NotFound,
  ok,
  type Patch,
  parseClientPatch,
  patchClient,
  type Result,
  validateClientChange,
  validateClientDeletion,
} from '@access-admin/domain';
import {
  type Client,
  type ClientStore,
  type ClientView,
  type SecretView,
  type Store,
  showClient,
} from '@access-admin/store';
import type { InferOutput } from 'valibot';
import type { Secrets } from '../../auth/client-secrets/secrets.ts';
import type { OperationHandlers } from '../../operations/request.ts';
import { auditContextOfRequest, type OperationHandler } from '../../operations/request.ts';
import { etagOf } from '../answers/etag.ts';
import { answerList } from '../answers/list.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';

export interface OauthClientDeps extends Omit<CreateClientDeps, 'clients'> {
  readonly store: Pick<Store, 'clients'>;
  readonly baseAddress: string;
}

export const oauthClientHandlers = ({ store: { clients }, baseAddress, ...deps }: OauthClientDeps) =>
  ({
    'create-oauth-client-v1': createOauthClient({ ...deps, clients }),
    'list-oauth-clients-v1': listOauthClients(clients, baseAddress),
    'get-oauth-client-v1': getOauthClient(clients),
    'patch-oauth-client-v1': patchOauthClient(clients, deps.now),
    'delete-oauth-client-v1': deleteOauthClient(clients, deps.now),
    'rotate-oauth-client-secret-v1': rotateClientSecret({ ...deps, clients }),
  }) satisfies Partial<OperationHandlers>;

interface CreateClientDeps {
  readonly clients: ClientStore;
  readonly secrets: Pick<Secrets, 'hash'>;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
}

/** create-oauth-client-v1 */
const createOauthClient =
  ({ clients, secrets, now, newId, newSecret }: CreateClientDeps): OperationHandler =>
  async (request) => {
    const { caller } = request;
    const { name, scopes, identityId, ...given } = request.body as InferOutput<typeof newOauthClient>;
    const tenant = given.tenant ?? caller.tenant;
    const forbidden =
      authorizeNewClient({ scopes, tenant, caller }) ?? (await refuseIdentity(clients, { tenant, identityId }, caller));
    if (forbidden !== null) return fail(forbidden);
    const secret = newSecret();
    // Hashing may wait in a queue, so the time is taken afterwards.
    const secretHash = await secrets.hash(secret, request.caller, null);
    const auditContext = auditContextOfRequest(request, now());
    const id = newId();
    const client: Client = { tenant, id, name, scopes, identityId, created: auditContext.time, isBootstrap: false };
    const outcome = await clients.create(auditContext, { ...client, secretHash });
    if (outcome === 'identityGone')
      return fail(failure('ReferenceNotFound', 'identityId', 'There is no such identity.'));
    const location = `/oauth-clients/v1/${client.id}`;
    return ok({ json: { ...showClient(client), secret }, headers: { location } });
  };

/** Null also for an application, and for an identity that does not exist. */
async function refuseIdentity(
  clients: Pick<ClientStore, 'findCapabilities'>,
  { tenant, identityId }: Pick<Client, 'tenant' | 'identityId'>,
  caller: Caller,
): Promise<Forbidden | null> {
  const capabilities = identityId === null ? null : await clients.findCapabilities(tenant, identityId);
  return capabilities === null ? null : authorizeActingIdentity(capabilities, caller);
}

const NO_CLIENT: NotFound = failure('NotFound', '', 'There is no such client.');

/** list-oauth-clients-v1 */
const listOauthClients =
  (clients: ClientStore, baseAddress: string): OperationHandler =>
  (request) => {
    const { tenant } = request.caller;
    return answerList(request, baseAddress, {
      list: async (page) => (await clients.list(tenant, page)).map(showClient),
      count: () => clients.count(tenant),
    });
  };

/** get-oauth-client-v1 */
const getOauthClient =
  (clients: ClientStore): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const client = await clients.find(caller.tenant, id);
    return client === null ? fail(NO_CLIENT) : withEtag(showClient(client));
  };

/** patch-oauth-client-v1 */
const patchOauthClient =
  (clients: ClientStore, now: () => Date): OperationHandler =>
  async (request) => {
    const { caller, params, body } = request;
    const patch = parseClientPatch(body);
    if (!patch.ok) return patch;
    const changed = await clients.change(auditContextOfRequest(request, now()), params['id'] ?? '', {
      precondition: (client) => ifMatch(request)(showClient(client)),
      decide: (view) => decidePatch(view, patch.value, caller),
    });
    return changed.ok ? withEtag(showClient(changed.value)) : changed;
  };

function decidePatch({ client: before, standing }: ClientView, patch: Patch, caller: Caller): Result<Client, Failure> {
  const patched = patchClient(before, patch);
  const settings = patched.ok ? validate(oauthClientSettings(before.scopes), patched.value) : patched;
  if (!settings.ok) return settings;
  const after = { ...before, ...settings.value };
  const refusal = validateClientChange({ before, after, standing, caller });
  return refusal === null ? ok(after) : fail(refusal);
}

/** delete-oauth-client-v1 */
const deleteOauthClient =
  (clients: ClientStore, now: () => Date): OperationHandler =>
  async (request) => {
    const deleted = await clients.delete(auditContextOfRequest(request, now()), request.params['id'] ?? '', {
      precondition: (client) => ifMatch(request)(showClient(client)),
      decide: ({ standing }): Result<null, Failure> => {
        const conflict = validateClientDeletion(standing);
        return conflict === null ? ok(null) : fail(conflict);
      },
    });
    return deleted.ok ? ok({ json: null }) : deleted;
  };

const HOUR_MS = 3_600_000;

/** rotate-oauth-client-secret-v1 */
const rotateClientSecret =
  ({ clients, secrets, now, newSecret }: CreateClientDeps): OperationHandler =>
  async (request) => {
    const { caller, params } = request;
    const id = params['id'] ?? '';
    const { overlapHours } = request.body as InferOutput<typeof secretRotation>;
    const known = await clients.findForToken(id);
    if (known === null || known.tenant !== caller.tenant) return fail(NO_CLIENT);
    // Also before the secret is hashed, which takes long.
    const forbidden = authorizeSecretRotation(known, caller) ?? (await refuseIdentity(clients, known, caller));
    if (forbidden !== null) return fail(forbidden);
    const secret = newSecret();
    const hash = await secrets.hash(secret, caller, known.secrets[0]?.hash ?? null);
    const time = now();
    const decide = ({ client }: SecretView): Result<null, Failure> => {
      // Another client with the same id has another salt.
      if (client.created !== known.created) return fail(NO_CLIENT);
      const refusal = authorizeSecretRotation(client, caller);
      return refusal === null ? ok(null) : fail(refusal);
    };
    const rotated = await clients.replaceSecret(auditContextOfRequest(request, time), id, {
      hash,
      previousEndsMs: overlapHours === 0 ? null : time.getTime() + overlapHours * HOUR_MS,
      precondition: (client) => ifMatch(request)(showClient(client)),
      decide,
    });
    if (!rotated.ok) return rotated;
    const shown = showClient(rotated.value);
    return ok({ json: { ...shown, secret }, headers: { etag: etagOf(shown) } });
  };
