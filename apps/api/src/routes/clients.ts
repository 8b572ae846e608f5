import { CLIENTS, oauthClientPatch } from '@access-admin/contract';
import {
  authorizeNewClient,
  authorizeSecretRotation,
  type Caller,
  type Failure,
  fail,
  failure,
  hasSessionLimits,
  ok,
  type Patch,
  type Result,
  validateClientChange,
  validateClientDeletion,
} from '@access-admin/domain';
import {
  type Client,
  type ClientView,
  type NewClient,
  type SecretView,
  showClient,
  showUsedClient,
} from '@access-admin/store';
import { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import type { Answer } from '../http/answer.ts';
import { auditContext } from '../http/audit-context.ts';
import { type Input, route } from '../operations/route.ts';
import { etagOf } from './answers/etag.ts';
import { answerList } from './answers/list.ts';
import { ifMatch } from './answers/resource.ts';
import { bearerTokens } from './clients/bearer-tokens.ts';
import { NO_CLIENT, refuseIdentity } from './clients/refuse-identity.ts';

const HOUR_MS = 3_600_000;

/** OAuth clients. */
export const clients = () =>
  new Hono<ApiEnv>()
    .on(...route(CLIENTS.create, createClient))
    .on(
      ...route(CLIENTS.list, (c, { caller: { tenant }, query }) => {
        const { clients } = c.env.services.store;
        return answerList(c, query.page, {
          list: async (page) => (await clients.list(tenant, page)).map(showUsedClient),
          count: () => clients.count(tenant),
        });
      }),
    )
    .on(
      ...route(CLIENTS.get, async (c, { caller, params }) => {
        const client = await c.env.services.store.clients.find(caller.tenant, params.id);
        return client === null ? fail(NO_CLIENT) : answerClient(c, client);
      }),
    )
    .on(
      ...route(CLIENTS.patch, async (c, { caller, params, body }) => {
        const changed = await c.env.services.store.clients.change(auditContext(c), params.id, {
          precondition: (client) => ifMatch(c)(showClient(client)),
          decide: (view) => decidePatch(view, body, caller),
        });
        return changed.ok ? answerClient(c, changed.value) : changed;
      }),
    )
    .on(
      ...route(CLIENTS.delete, async (c, { caller, params }) => {
        const deleted = await c.env.services.store.clients.delete(auditContext(c), params.id, {
          precondition: (client) => ifMatch(c)(showClient(client)),
          decide: ({ client, standing }): Result<null, Failure> => {
            const refusal = validateClientDeletion(client, standing, caller);
            return refusal === null ? ok(null) : fail(refusal);
          },
        });
        return deleted.ok ? c.body(null, 204) : deleted;
      }),
    )
    .on(...route(CLIENTS.rotateSecret, rotateSecret))
    .route('/', bearerTokens());

async function createClient(c: RequestContext, { caller, body }: Input<typeof CLIENTS.create>): Promise<Answer> {
  const { store, secrets, system } = c.env.services;
  const { name, scopes, identityId } = body;
  const tenant = body.tenant ?? caller.tenant;
  const forbidden =
    authorizeNewClient({ scopes, identityId, tenant, caller }) ??
    (await refuseIdentity(store.clients, { tenant, identityId }, caller));
  if (forbidden !== null) return fail(forbidden);
  const secret = system.newSecret();
  // Hashing may wait in a queue, so the time is taken afterwards.
  const secretHash = await secrets.hash(secret, caller, null);
  const audit = auditContext(c);
  const client: NewClient = {
    tenant,
    id: system.newId(),
    name,
    scopes,
    identityId,
    created: audit.time,
    secretHash,
    isSessionBound: hasSessionLimits(caller),
  };
  const outcome = await store.clients.create(audit, client);
  if (outcome === 'identityGone') return fail(failure('ReferenceNotFound', 'identityId', 'There is no such identity.'));
  const shown = {
    ...showUsedClient({ ...client, isBootstrap: false, lastUsed: null }),
    secret,
    ...(outcome === 'tenantCreated' && { tenantCreated: true as const }),
  };
  return c.json(shown, 201, { location: `/oauth-clients/v1/${client.id}` });
}

async function rotateSecret(
  c: RequestContext,
  { caller, params, body }: Input<typeof CLIENTS.rotateSecret>,
): Promise<Answer> {
  const { store, secrets, system } = c.env.services;
  const known = await store.clients.findForToken(params.id);
  if (known === null || known.tenant !== caller.tenant) return fail(NO_CLIENT);
  // Also before the secret is hashed, which takes long.
  const forbidden = authorizeSecretRotation(known, caller) ?? (await refuseIdentity(store.clients, known, caller));
  if (forbidden !== null) return fail(forbidden);
  const secret = system.newSecret();
  const hash = await secrets.hash(secret, caller, known.secrets[0]?.hash ?? null);
  const time = system.now();
  const rotated = await store.clients.replaceSecret(auditContext(c, time), params.id, {
    hash,
    isSessionBound: hasSessionLimits(caller),
    previousEndsMs: body.overlapHours === 0 ? null : time.getTime() + body.overlapHours * HOUR_MS,
    precondition: (client) => ifMatch(c)(showClient(client)),
    decide: ({ client }: SecretView): Result<null, Failure> => {
      // Another client with the same id has another salt.
      if (client.created !== known.created) return fail(NO_CLIENT);
      const refusal = authorizeSecretRotation(client, caller);
      return refusal === null ? ok(null) : fail(refusal);
    },
  });
  if (!rotated.ok) return rotated;
  const etag = etagOf(showClient(rotated.value));
  return c.json({ ...showUsedClient(rotated.value), secret }, 200, { etag });
}

/** The ETag does not depend on the last use, which changes nothing else of the client. */
const answerClient = (c: RequestContext, client: Client): Response =>
  c.json(showUsedClient(client), 200, { etag: etagOf(showClient(client)) });

function decidePatch({ client: before, standing }: ClientView, patch: Patch, caller: Caller): Result<Client, Failure> {
  const settings = oauthClientPatch(before.scopes).apply(before, patch);
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
