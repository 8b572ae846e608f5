import { LOADS } from '@access-admin/contract';
import { fail, failure } from '@access-admin/domain';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { auditContext } from '../http/audit-context.ts';
import { route } from '../operations/route.ts';
import { answerList } from './answers/list.ts';

/** Loads of sources. */
export const loads = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(LOADS.create, async (c, { params: { id: source }, body }) => {
        const { store, system } = c.env.services;
        const loadId = system.newId();
        const created = await store.loads.create(auditContext(c), { ...body, source, loadId });
        if (!created.ok) return created;
        return c.json(created.value, 201, { location: `/sources/v1/${source}/loads/${loadId}` });
      }),
    )
    .on(
      ...route(LOADS.putPart, async (c, { params: { id: source, loadId, n: part }, body }) => {
        const stored = await c.env.services.store.loads.putPart(auditContext(c), { ...body, source, loadId, part });
        return stored.ok ? c.body(null, 204) : stored;
      }),
    )
    .on(
      ...route(LOADS.commit, async (c, { params: { id: source, loadId }, body }) => {
        const confirmed = body.confirmDeletes ?? null;
        const committed = await c.env.services.store.loads.commit(auditContext(c), { source, loadId, confirmed });
        return committed.ok ? c.json(committed.value, 202) : committed;
      }),
    )
    .on(
      ...route(LOADS.list, async (c, { caller: { tenant }, params: { id }, query }) => {
        const { store } = c.env.services;
        if ((await store.sources.find(tenant, id)) === null)
          return fail(failure('NotFound', '', 'There is no such source.'));
        return answerList(c, query.page, {
          list: (page) => store.loads.list(tenant, id, page),
          count: () => store.loads.count(tenant, id),
        });
      }),
    )
    .on(
      ...route(LOADS.get, async (c, { caller: { tenant }, params: { id: source, loadId } }) => {
        const found = await c.env.services.store.loads.find(tenant, { source, loadId });
        return found === null ? fail(failure('NotFound', '', 'There is no such load.')) : c.json(found);
      }),
    )
    .on(
      ...route(LOADS.cancel, async (c, { params: { id: source, loadId } }) => {
        const cancelled = await c.env.services.store.loads.cancel(auditContext(c), { source, loadId });
        return cancelled.ok ? c.body(null, 204) : cancelled;
      }),
    );
