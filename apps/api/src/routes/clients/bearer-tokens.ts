import { CLIENTS } from '@access-admin/contract';
import { authorizeSecretRotation, type Caller, type Forbidden, fail, ok, type Result } from '@access-admin/domain';
import type { Client } from '@access-admin/store';
import { Hono } from 'hono';
import { formatStaticToken, hashStaticSecret } from '../../auth/static-token.ts';
import type { ApiEnv } from '../../env.ts';
import { auditContext } from '../../http/audit-context.ts';
import { route } from '../../operations/route.ts';
import { answerList } from '../answers/list.ts';
import { NO_CLIENT, refuseIdentity } from './refuse-identity.ts';

const DAY_MS = 86_400_000;

/** Static tokens of clients. */
export const bearerTokens = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(CLIENTS.createBearerToken, async (c, { caller, params: { id }, body: { source, expiresDays } }) => {
        const { store, system } = c.env.services;
        const known = await store.clients.find(caller.tenant, id);
        if (known === null) return fail(NO_CLIENT);
        const forbidden =
          authorizeSecretRotation(known, caller) ?? (await refuseIdentity(store.clients, known, caller));
        if (forbidden !== null) return fail(forbidden);
        const time = system.now();
        const secret = system.newSecret();
        const expires = new Date(time.getTime() + expiresDays * DAY_MS).toISOString();
        const token = { id: system.newId(), source, expires, secretHash: hashStaticSecret(secret) };
        const created = await store.bearerTokens.create(auditContext(c, time), id, {
          token,
          decide: mayRotate(caller),
        });
        if (!created.ok) return created;
        return c.json({ ...created.value, token: formatStaticToken(id, secret) }, 201, {
          location: `/oauth-clients/v1/${id}/bearer-tokens/${token.id}`,
        });
      }),
    )
    .on(
      ...route(CLIENTS.listBearerTokens, async (c, { caller: { tenant }, params: { id }, query }) => {
        const { store, system } = c.env.services;
        if ((await store.clients.find(tenant, id)) === null) return fail(NO_CLIENT);
        const now = system.now();
        return answerList(c, query.page, {
          list: (page) => store.bearerTokens.list(tenant, id, { ...page, now }),
          count: () => store.bearerTokens.count(tenant, id, now),
        });
      }),
    )
    .on(
      ...route(CLIENTS.deleteBearerToken, async (c, { caller, params }) => {
        const { bearerTokens } = c.env.services.store;
        const deletion = { id: params.tokenId, decide: mayRotate(caller) };
        const deleted = await bearerTokens.delete(auditContext(c), params.id, deletion);
        return deleted.ok ? c.body(null, 204) : deleted;
      }),
    );

/** Changes of the tokens of a client need the rights of a rotation of its secret. */
const mayRotate =
  (caller: Caller) =>
  (client: Client): Result<null, Forbidden> => {
    const refusal = authorizeSecretRotation(client, caller);
    return refusal === null ? ok(null) : fail(refusal);
  };
