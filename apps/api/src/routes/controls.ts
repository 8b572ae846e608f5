import { CONTROLS, controlPatch } from '@access-admin/contract';
import { type Control, completeControl, type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { auditContext } from '../http/audit-context.ts';
import { route } from '../operations/route.ts';
import { answerList } from './answers/list.ts';
import { checkBodyId, ifMatch, withEtag } from './answers/resource.ts';

/** Compensating controls. */
export const controls = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(CONTROLS.list, (c, { caller, query }) => {
        const { controls } = c.env.services.store;
        return answerList(c, query.page, {
          list: (page) => controls.list(caller.tenant, query.filters, page),
          count: () => controls.count(caller.tenant, query.filters),
        });
      }),
    )
    .on(
      ...route(CONTROLS.create, async (c, { body }) => {
        const { store, system } = c.env.services;
        const audit = auditContext(c);
        const { id = system.newId(), ...fields } = body;
        const created = await store.controls.create(audit, completeControl({ ...fields, id }, null, audit.time));
        return created.ok ? withEtag(c, created.value, { status: 201, location: `/controls/v1/${id}` }) : created;
      }),
    )
    .on(
      ...route(CONTROLS.get, async (c, { caller, params }) => {
        const control = await c.env.services.store.controls.find(caller.tenant, params.id);
        return control === null ? fail(failure('NotFound', '', 'There is no such control.')) : withEtag(c, control);
      }),
    )
    .on(
      ...route(CONTROLS.put, async (c, { params: { id }, body }) => {
        const { id: given, ...fields } = body;
        const named = checkBodyId(given, id);
        if (!named.ok) return named;
        const changed = await c.env.services.store.controls.change(auditContext(c), id, {
          precondition: ifMatch(c),
          decide: (shown): Result<Control, Failure> => ok({ ...shown, ...fields }),
        });
        return changed.ok ? withEtag(c, changed.value) : changed;
      }),
    )
    .on(
      ...route(CONTROLS.patch, async (c, { params, body }) => {
        const changed = await c.env.services.store.controls.change(auditContext(c), params.id, {
          decide: (shown): Result<Control, Failure> => {
            const fields = controlPatch.apply(shown, body);
            return fields.ok ? ok({ ...shown, ...fields.value }) : fields;
          },
          precondition: ifMatch(c),
        });
        return changed.ok ? withEtag(c, changed.value) : changed;
      }),
    )
    .on(
      ...route(CONTROLS.delete, async (c, { params }) => {
        const deleted = await c.env.services.store.controls.delete(auditContext(c), params.id, ifMatch(c));
        return deleted.ok ? c.body(null, 204) : deleted;
      }),
    );
