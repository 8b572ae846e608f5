import { oauthClientSettings, validate } from '@access-admin/contract';
import {
  authorizeNewClient,
  type Caller,
  type Failure,
  fail,
  failure,
  ok,
  type Patch,
  patchClient,
  type Result,
  validateClientChange,
  validateClientDeletion,
} from '@access-admin/domain';
import { type Client, type ClientStore, type ClientView, showClient } from '@access-admin/store';
import type { Secrets } from '../../auth/client-secrets/secrets.ts';
import { auditContextOfRequest, type OperationHandlers } from '../../operations/operation.ts';
import { answerList } from '../answers/list.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';

export interface OauthClientParts {
  readonly clients: ClientStore;
  readonly secrets: Pick<Secrets, 'hash'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
}

export function oauthClientHandlers(parts: OauthClientParts) {
  const { clients, secrets, baseAddress, now, newId, newSecret } = parts;
  return {
    'create-oauth-client-v1': async (request) => {
      const { caller, body } = request;
      const { name, scopes, identityId } = body;
      const tenant = body.tenant ?? caller.tenant;
      const forbidden = authorizeNewClient({ scopes, tenant, caller });
      if (forbidden !== null) return fail(forbidden);
      const secret = newSecret();
      // Hashing may wait in a queue, so the time is taken afterwards.
      const secretHash = await secrets.hash(secret, caller);
      const auditContext = auditContextOfRequest(request, now());
      const client: Client = { tenant, id: newId(), name, scopes, identityId, created: auditContext.time };
      const outcome = await clients.create(auditContext, { ...client, secretHash });
      if (outcome === 'identityGone')
        return fail(failure('ReferenceNotFound', 'identityId', 'There is no such identity.'));
      return ok({
        json: { ...showClient(client), secret },
        headers: { location: `/oauth-clients/v1/${client.id}` },
      });
    },

    'list-oauth-clients-v1': (request) => {
      const { tenant } = request.caller;
      return answerList(request, baseAddress, {
        list: async (page) => (await clients.list(tenant, page)).map(showClient),
        count: () => clients.count(tenant),
      });
    },

    'get-oauth-client-v1': async ({ caller, params }) => {
      const client = await clients.find(caller.tenant, params.id);
      return client === null ? fail(failure('NotFound', '', 'There is no such client.')) : withEtag(showClient(client));
    },

    'patch-oauth-client-v1': async (request) => {
      const { caller, params, body } = request;
      const changed = await clients.change(auditContextOfRequest(request, now()), params.id, {
        precondition: (client) => ifMatch(request)(showClient(client)),
        decide: (view) => decidePatch(view, body, caller),
      });
      return changed.ok ? withEtag(showClient(changed.value)) : changed;
    },

    'delete-oauth-client-v1': async (request) => {
      const deleted = await clients.delete(auditContextOfRequest(request, now()), request.params.id, {
        precondition: (client) => ifMatch(request)(showClient(client)),
        decide: ({ standing }): Result<null, Failure> => {
          const conflict = validateClientDeletion(standing);
          return conflict === null ? ok(null) : fail(conflict);
        },
      });
      return deleted.ok ? ok({ isEmpty: true }) : deleted;
    },
  } satisfies Partial<OperationHandlers>;
}

function decidePatch({ client: before, standing }: ClientView, patch: Patch, caller: Caller): Result<Client, Failure> {
  const patched = patchClient(before, patch);
  const settings = patched.ok ? validate(oauthClientSettings(before.scopes), patched.value) : patched;
  if (!settings.ok) return settings;
  const after = { ...before, ...settings.value };
  const refusal = validateClientChange({ before, after, standing, caller });
  return refusal === null ? ok(after) : fail(refusal);
}
