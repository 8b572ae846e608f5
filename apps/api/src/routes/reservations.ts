import { RESERVATIONS } from '@access-admin/contract';
import { fail } from '@access-admin/domain';
import { NO_RESERVATION } from '@access-admin/store';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { auditContext } from '../http/audit-context.ts';
import { route } from '../operations/route.ts';
import { ifMatch, withEtag } from './answers/resource.ts';
import { answerReservations } from './reservations/list.ts';
import { reserve } from './reservations/reserve.ts';

/** Access that is reserved while its request waits for an approval. States are those at the time of the request. */
export const reservations = () =>
  new Hono<ApiEnv>()
    .on(...route(RESERVATIONS.list, answerReservations))
    .on(...route(RESERVATIONS.create, reserve))
    .on(
      ...route(RESERVATIONS.get, async (c, { caller: { tenant }, params: { id } }) => {
        const { store, system } = c.env.services;
        const [found] = await store.reservations.read(tenant, [id], system.now().toISOString());
        return found === undefined ? fail(NO_RESERVATION) : withEtag(c, found);
      }),
    )
    .on(
      ...route(RESERVATIONS.settle, async (c, { params: { id } }) => {
        const { reservations } = c.env.services.store;
        const settled = await reservations.end(auditContext(c), id, { state: 'SETTLED', precondition: ifMatch(c) });
        return settled.ok ? withEtag(c, settled.value) : settled;
      }),
    )
    .on(
      ...route(RESERVATIONS.release, async (c, { params: { id } }) => {
        const { reservations } = c.env.services.store;
        const released = await reservations.end(auditContext(c), id, { state: 'RELEASED', precondition: ifMatch(c) });
        return released.ok ? c.body(null, 204) : released;
      }),
    );
