import { PERSONS } from '@access-admin/contract';
import { fail, failure, IDENTITY_CONFIRMATION, validateErasure } from '@access-admin/domain';
import { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import { CallerLeft } from '../event-loop/deadline.ts';
import { auditContext } from '../http/audit-context.ts';
import { requestClosed } from '../http/connection.ts';
import { route } from '../operations/route.ts';
import { linesOf } from '../streaming/records.ts';
import { streamExport } from '../streaming/stream-export.ts';

/** What is kept of people, and its erasure. */
export const persons = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(PERSONS.export, (c, { caller, params: { id } }) =>
        streamExport(c, async () => {
          const records = await findPerson(c, caller.tenant, id);
          return records === null ? fail(UNKNOWN) : { pieces: linesOf(records), isSlow: true };
        }),
      ),
    )
    .on(
      ...route(PERSONS.erase, async (c, { caller, params: { id } }) => {
        const fault = validateErasure(id, c.req.header(IDENTITY_CONFIRMATION) ?? null);
        if (fault !== null) return fail(fault);
        const isNamed = async () => (await findPerson(c, caller.tenant, id)) !== null;
        const begun = await c.env.services.store.erasures.begin(auditContext(c), id, isNamed);
        return begun.ok ? c.json({ pseudonym: begun.value.pseudonym }, 202) : begun;
      }),
    );

/** All that names a person. The search for an id that nothing names reads as much as a long export, and ends as other work does. */
async function findPerson(c: RequestContext, tenant: string, id: string) {
  const { jobs, store } = c.env.services;
  const left = requestClosed(c);
  const job = jobs.begin(tenant, left);
  let isFound = false;
  const pause = async () => {
    await jobs.yieldIfDue(tenant);
    if (!isFound) jobs.check(job);
    else if (left.aborted) throw new CallerLeft();
  };
  const records = await store.persons.read(tenant, id, pause);
  isFound = true;
  return records;
}

const UNKNOWN = failure('NotFound', '', 'Nothing names such an identity.');
