import { SESSIONS } from '@access-admin/contract';
import { mayAdminister } from '@access-admin/domain';
import type { SessionQuery } from '@access-admin/store';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { auditContext } from '../http/audit-context.ts';
import { route } from '../operations/route.ts';
import { livingSince } from '../sign-in/session.ts';
import { answerList } from './answers/list.ts';
import { showSession } from './sessions/show.ts';

/** Sessions of people. */
export const sessions = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(SESSIONS.list, async (c, { caller, query: { filters, page } }) => {
        const { store, system } = c.env.services;
        const own = mayAdminister(SESSIONS.list.rights, caller) ? null : caller.identityId;
        const wanted = new Set(filters.flatMap(({ values }) => values));
        if (own !== null) wanted.add(own);
        // Two different identities have no session together.
        const isEmpty = wanted.size > 1;
        const [identityId] = wanted;
        const { session: config } = await store.signInSettings.read(caller.tenant);
        const living = livingSince(system.now().getTime(), config);
        const query: SessionQuery = identityId === undefined ? living : { ...living, identityId };
        return answerList(c, page, {
          list: async (rows) =>
            isEmpty
              ? []
              : (await store.sessions.list(caller.tenant, query, rows)).map((each) => showSession(each, config)),
          count: async () => (isEmpty ? 0 : store.sessions.count(caller.tenant, query)),
        });
      }),
    )
    .on(
      ...route(SESSIONS.end, async (c, { params }) => {
        const ended = await c.env.services.store.sessions.end(auditContext(c), params.id);
        return ended.ok ? c.body(null, 204) : ended;
      }),
    );
