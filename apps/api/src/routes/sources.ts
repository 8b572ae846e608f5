import { SOURCES, sourcePatch } from '@access-admin/contract';
import {
  completeSource,
  type Failure,
  fail,
  failure,
  ok,
  type Result,
  type Source,
  showAccount,
} from '@access-admin/domain';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { auditContext } from '../http/audit-context.ts';
import { route } from '../operations/route.ts';
import { answerList } from './answers/list.ts';
import { checkBodyId, ifMatch, withEtag } from './answers/resource.ts';

/** Sources and their accounts. */
export const sources = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(SOURCES.list, (c, { caller, query }) => {
        const { sources } = c.env.services.store;
        return answerList(c, query.page, {
          list: (page) => sources.list(caller.tenant, query.filters, page),
          count: () => sources.count(caller.tenant, query.filters),
        });
      }),
    )
    .on(
      ...route(SOURCES.create, async (c, { body }) => {
        const { store, system } = c.env.services;
        const audit = auditContext(c);
        const { id = system.newId(), ...fields } = body;
        const created = await store.sources.create(audit, completeSource({ ...fields, id }, null, audit.time));
        if (!created.ok) return created;
        return withEtag(c, created.value, { status: 201, location: `/sources/v1/${id}` });
      }),
    )
    .on(
      ...route(SOURCES.get, async (c, { caller, params }) => {
        const source = await c.env.services.store.sources.find(caller.tenant, params.id);
        if (source === null) return fail(failure('NotFound', '', 'There is no such source.'));
        return withEtag(c, source);
      }),
    )
    .on(
      ...route(SOURCES.put, async (c, { params: { id }, body }) => {
        const { id: given, ...fields } = body;
        const named = checkBodyId(given, id);
        if (!named.ok) return named;
        const changed = await c.env.services.store.sources.change(auditContext(c), id, {
          precondition: (before) => ifMatch(c)(before),
          decide: (before): Result<Source, Failure> => ok({ ...before, ...fields }),
        });
        return changed.ok ? withEtag(c, changed.value) : changed;
      }),
    )
    .on(
      ...route(SOURCES.patch, async (c, { params, body }) => {
        const changed = await c.env.services.store.sources.change(auditContext(c), params.id, {
          precondition: (before) => ifMatch(c)(before),
          decide: (before): Result<Source, Failure> => {
            const fields = sourcePatch.apply(before, body);
            return fields.ok ? ok({ ...before, ...fields.value }) : fields;
          },
        });
        return changed.ok ? withEtag(c, changed.value) : changed;
      }),
    )
    .on(
      ...route(SOURCES.delete, async (c, { params }) => {
        const { sources } = c.env.services.store;
        const deleted = await sources.delete(auditContext(c), params.id, (before) => ifMatch(c)(before));
        return deleted.ok ? c.body(null, 204) : deleted;
      }),
    )
    .on(
      ...route(SOURCES.listAccounts, (c, { caller, query }) => {
        const { sources } = c.env.services.store;
        return answerList(c, query.page, {
          list: async (page) => (await sources.listAccounts(caller.tenant, query.filters, page)).map(showAccount),
          count: () => sources.countAccounts(caller.tenant, query.filters),
        });
      }),
    )
    .on(
      ...route(SOURCES.getAccount, async (c, { caller, params }) => {
        const account = await c.env.services.store.sources.findAccount(caller.tenant, params.key);
        if (account === null) return fail(failure('NotFound', '', 'There is no such account.'));
        return withEtag(c, showAccount(account));
      }),
    )
    .on(
      ...route(SOURCES.linkAccount, async (c, { params, body }) => {
        const { sources } = c.env.services.store;
        const linked = await sources.linkAccount(auditContext(c), params.key, body, (before) =>
          ifMatch(c)(showAccount(before)),
        );
        return linked.ok ? withEtag(c, showAccount(linked.value)) : linked;
      }),
    );
