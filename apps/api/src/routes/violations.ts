import { VIOLATIONS } from '@access-admin/contract';
import { authorize, fail, failure } from '@access-admin/domain';
import { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import type { Answer } from '../http/answer.ts';
import { auditContext } from '../http/audit-context.ts';
import { type Input, route } from '../operations/route.ts';
import { linesOf } from '../streaming/records.ts';
import { streamExport } from '../streaming/stream-export.ts';
import { acceptsCsv } from './violations/accepts-csv.ts';
import { csvOf } from './violations/csv.ts';
import { violationEtag } from './violations/etag.ts';
import { answerViolations } from './violations/list.ts';

/** The register of violations. */
export const violations = () =>
  new Hono<ApiEnv>()
    .on(...route(VIOLATIONS.list, (c, input) => answerViolations(c, input, [])))
    .on(...route(VIOLATIONS.export, exportViolations))
    .on(
      ...route(VIOLATIONS.summary, async (c, { caller, query }) => {
        const { store, system } = c.env.services;
        const asked = { now: system.now().toISOString(), days: query.days };
        return c.json(await store.violations.summarize(caller.tenant, asked));
      }),
    )
    .on(
      ...route(VIOLATIONS.get, async (c, { caller, params }) => {
        const { store, system } = c.env.services;
        const violation = await store.violations.find(caller.tenant, params.id, system.now().toISOString());
        return violation === null ? fail(NO_VIOLATION) : c.json(violation, 200, { etag: violationEtag(violation) });
      }),
    )
    .on(
      ...route(VIOLATIONS.listMine, (c, input) => {
        const values = [input.caller.identityId ?? ''];
        return answerViolations(c, input, [{ field: 'ownedBy', operator: 'eq', values }]);
      }),
    )
    .on(
      ...route(VIOLATIONS.reassign, async (c, { caller, params, body: { assigneeId, comments } }) => {
        const isForAll = authorize(VIOLATIONS.reassign.rights, caller).ok;
        const reassigned = await c.env.services.store.violations.reassign(auditContext(c), {
          id: params.id,
          assigneeId,
          comments,
          caller: { identityId: caller.identityId, isForAll },
        });
        if (!reassigned.ok) return reassigned;
        const violation = reassigned.value;
        return violation === null ? c.body(null, 204) : c.json(violation, 200, { etag: violationEtag(violation) });
      }),
    )
    .on(
      ...route(VIOLATIONS.applyControl, async (c, { caller, params, body: { controlId, comments } }) => {
        const { store, system } = c.env.services;
        if (caller.identityId === null) throw new Error('The operation is for identities only.');
        const applied = await store.controls.apply(auditContext(c), {
          id: system.newId(),
          exceptionId: system.newId(),
          violationId: params.id,
          controlId,
          comments,
          applierId: caller.identityId,
        });
        return applied.ok ? c.json(applied.value, 201) : applied;
      }),
    );

const NO_VIOLATION = failure('NotFound', '', 'There is no such violation.');

const CSV = 'text/csv; charset=utf-8; header=present';

function exportViolations(c: RequestContext, { caller, query }: Input<typeof VIOLATIONS.export>): Promise<Answer> {
  const { store, system } = c.env.services;
  const headers: Record<string, string> = acceptsCsv(c) ? { 'content-type': CSV } : {};
  const write = acceptsCsv(c) ? csvOf : linesOf;
  const open = async () => {
    const asked = { conditions: query.filters, sorters: [], now: system.now().toISOString() };
    const exported = await store.violations.export(caller.tenant, asked);
    if (exported.asOf !== null) headers['x-as-of'] = exported.asOf;
    return { pieces: write(exported.violations), release: () => void exported[Symbol.asyncDispose]() };
  };
  return streamExport(c, open, headers);
}
