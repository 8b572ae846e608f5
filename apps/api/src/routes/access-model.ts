import { ACCESS_MODEL } from '@access-admin/contract';
import { planImportInPieces } from '@access-admin/domain';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { runInPieces } from '../event-loop/in-pieces.ts';
import { auditContext } from '../http/audit-context.ts';
import { route } from '../operations/route.ts';
import { linesOf } from '../streaming/records.ts';
import { streamExport } from '../streaming/stream-export.ts';
import { streamJson } from '../streaming/stream-json.ts';
import { checkPolicySetVersion } from './answers/etag.ts';

/** The access model as a whole. */
export const accessModel = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(ACCESS_MODEL.import, async (c, { caller, query, body: records }) => {
        const { store, jobs, guardOf, findImportWarnings } = c.env.services;
        const audit = auditContext(c);
        const pause = jobs.pauseOf(jobs.begin(caller.tenant, null));
        const imported = await store.accessModel.import(
          {
            auditContext: audit,
            records,
            guard: guardOf({ c, caller }),
            precondition: (version) => checkPolicySetVersion(query.ifPolicySetVersion, version),
          },
          (base) => runInPieces(planImportInPieces({ records, base, caller, now: audit.time }), pause),
        );
        if (!imported.ok) return imported;
        const { plan, policySetVersion } = imported.value;
        const warnings = await findImportWarnings(caller.tenant, imported.value);
        return streamJson(c, JSON.stringify({ counts: plan.counts, policySetVersion, warnings }));
      }),
    )
    .on(
      ...route(ACCESS_MODEL.export, (c, { caller }) =>
        streamExport(c, () => ({ pieces: linesOf(c.env.services.store.accessModel.export(caller.tenant)) })),
      ),
    );
