import { AUDIT } from '@access-admin/contract';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { route } from '../operations/route.ts';
import { linesOf } from '../streaming/records.ts';
import { streamExport } from '../streaming/stream-export.ts';
import { answerAuditEvents } from './audit/answer-events.ts';

/** The audit log. */
export const audit = () =>
  new Hono<ApiEnv>()
    .on(...route(AUDIT.list, (c, { query }) => answerAuditEvents(c, query.page, query.filters)))
    .on(
      ...route(AUDIT.export, (c, { caller }) =>
        streamExport(c, () => ({ pieces: linesOf(c.env.services.store.audit.export(caller.tenant)) })),
      ),
    )
    .on(
      ...route(AUDIT.head, async (c, { caller: { tenant } }) => {
        const { store, signHead } = c.env.services;
        const head = await store.audit.head(tenant);
        return c.json({ ...head, signature: await signHead(tenant, head) });
      }),
    );
