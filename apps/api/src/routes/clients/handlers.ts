import { oauthClientSettings, validate } from '@access-admin/contract';
import {
  authorizeActingIdentity,
  authorizeNewClient,
  authorizeSecretRotation,
  type Caller,
  type Failure,
  type Forbidden,
  fail,
  failure,
  hasSessionLimits,
  ok,
  type Patch,
  patchClient,
  type Result,
  validateClientChange,
  validateClientDeletion,
} from '@access-admin/domain';
import {
  type Client,
  type ClientStore,
  type ClientView,
  type NewClient,
  type SecretView,
  showClient,
} from '@access-admin/store';
import type { Secrets } from '../../auth/client-secrets/secrets.ts';
import { answerList } from '../../operations/answers.ts';
import { auditContextOfRequest, type OperationHandlers } from '../../operations/operation.ts';
import { etagOf } from '../answers/etag.ts';
import { ifMatch } from '../answers/resource.ts';

export interface OauthClientParts {
  readonly clients: ClientStore;
  readonly secrets: Pick<Secrets, 'hash'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
}

const HOUR_MS = 3_600_000;

export function clientHandlers(parts: OauthClientParts) {
  const { clients, secrets, baseAddress, now, newId, newSecret } = parts;
  return {
    'create-oauth-client-v1': async (request) => {
      const { caller, body } = request;
      const { name, scopes, identityId } = body;
      const tenant = body.tenant ?? caller.tenant;
      const forbidden =
        authorizeNewClient({ scopes, identityId, tenant, caller }) ??
        (await refuseIdentity(clients, { tenant, identityId }, caller));
      if (forbidden !== null) return fail(forbidden);
      const secret = newSecret();
      // Hashing may wait in a queue, so the time is taken afterwards.
      const secretHash = await secrets.hash(secret, caller, null);
      const auditContext = auditContextOfRequest(request, now());
      const client: NewClient = {
        tenant,
        id: newId(),
        name,
        scopes,
        identityId,
        created: auditContext.time,
        secretHash,
        isSessionBound: hasSessionLimits(caller),
      };
      const outcome = await clients.create(auditContext, client);
      if (outcome === 'identityGone')
        return fail(failure('ReferenceNotFound', 'identityId', 'There is no such identity.'));
      return ok({
        json: {
          ...showClient({ ...client, isBootstrap: false }),
          secret,
          ...(outcome === 'tenantCreated' && { tenantCreated: true as const }),
        },
        headers: { location: `/oauth-clients/v1/${client.id}` },
      });
    },

    'list-oauth-clients-v1': (request) => {
      const { tenant } = request.caller;
      return answerList(request, baseAddress, {
        list: async (page) => (await clients.list(tenant, page)).map(showUsed),
        count: () => clients.count(tenant),
      });
    },

    'get-oauth-client-v1': async ({ caller, params }) => {
      const client = await clients.find(caller.tenant, params.id);
      return client === null ? fail(NO_CLIENT) : answerClient(client);
    },

    'patch-oauth-client-v1': async (request) => {
      const { caller, params, body } = request;
      const changed = await clients.change(auditContextOfRequest(request, now()), params.id, {
        precondition: (client) => ifMatch(request.c)(showClient(client)),
        decide: (view) => decidePatch(view, body, caller),
      });
      return changed.ok ? answerClient(changed.value) : changed;
    },

    'delete-oauth-client-v1': async (request) => {
      const deleted = await clients.delete(auditContextOfRequest(request, now()), request.params.id, {
        precondition: (client) => ifMatch(request.c)(showClient(client)),
        decide: ({ client, standing }): Result<null, Failure> => {
          const refusal = validateClientDeletion(client, standing, request.caller);
          return refusal === null ? ok(null) : fail(refusal);
        },
      });
      return deleted.ok ? ok({ isEmpty: true }) : deleted;
    },

    'rotate-oauth-client-secret-v1': async (request) => {
      const { caller, params, body } = request;
      const known = await clients.findForToken(params.id);
      if (known === null || known.tenant !== caller.tenant) return fail(NO_CLIENT);
      // Also before the secret is hashed, which takes long.
      const forbidden = authorizeSecretRotation(known, caller) ?? (await refuseIdentity(clients, known, caller));
      if (forbidden !== null) return fail(forbidden);
      const secret = newSecret();
      const hash = await secrets.hash(secret, caller, known.secrets[0]?.hash ?? null);
      const time = now();
      const rotated = await clients.replaceSecret(auditContextOfRequest(request, time), params.id, {
        hash,
        isSessionBound: hasSessionLimits(caller),
        previousEndsMs: body.overlapHours === 0 ? null : time.getTime() + body.overlapHours * HOUR_MS,
        precondition: (client) => ifMatch(request.c)(showClient(client)),
        decide: ({ client }: SecretView): Result<null, Failure> => {
          // Another client with the same id has another salt.
          if (client.created !== known.created) return fail(NO_CLIENT);
          const refusal = authorizeSecretRotation(client, caller);
          return refusal === null ? ok(null) : fail(refusal);
        },
      });
      if (!rotated.ok) return rotated;
      const shown = showClient(rotated.value);
      return ok({ json: { ...showUsed(rotated.value), secret }, headers: { etag: etagOf(shown) } });
    },
  } satisfies Partial<OperationHandlers>;
}

/** A client with its last use. The ETag does not depend on the use, because a use changes nothing else of the client. */
const showUsed = (client: Client) => ({
  ...showClient(client),
  ...(client.lastUsed !== null && { lastUsed: client.lastUsed }),
});

const answerClient = (client: Client) => ok({ json: showUsed(client), headers: { etag: etagOf(showClient(client)) } });

const NO_CLIENT = failure('NotFound', '', 'There is no such client.');

/** Null also for an application, and for an identity that does not exist. */
async function refuseIdentity(
  clients: Pick<ClientStore, 'findCapabilities'>,
  { tenant, identityId }: Pick<Client, 'tenant' | 'identityId'>,
  caller: Caller,
): Promise<Forbidden | null> {
  const capabilities = identityId === null ? null : await clients.findCapabilities(tenant, identityId);
  return capabilities === null ? null : authorizeActingIdentity(capabilities, caller);
}

function decidePatch({ client: before, standing }: ClientView, patch: Patch, caller: Caller): Result<Client, Failure> {
  const patched = patchClient(before, patch);
  const settings = patched.ok ? validate(oauthClientSettings(before.scopes), patched.value) : patched;
  if (!settings.ok) return settings;
  const gains = settings.value.scopes.some((scope) => !before.scopes.includes(scope));
  const after = {
    ...before,
    ...settings.value,
    isSessionBound: before.isSessionBound || (gains && hasSessionLimits(caller)),
  };
  const refusal = validateClientChange({ before, after, standing, caller });
  return refusal === null ? ok(after) : fail(refusal);
}
