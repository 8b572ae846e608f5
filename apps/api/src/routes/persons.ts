import { PERSONS } from '@access-admin/contract';
import { fail, failure } from '@access-admin/domain';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { CallerLeft } from '../event-loop/deadline.ts';
import { requestClosed } from '../http/connection.ts';
import { route } from '../operations/route.ts';
import { linesOf } from '../streaming/records.ts';
import { streamExport } from '../streaming/stream-export.ts';

/** What is kept of people. */
export const persons = () =>
  new Hono<ApiEnv>().on(
    ...route(PERSONS.export, (c, { caller, params: { id } }) => {
      const { jobs, store } = c.env.services;
      // The search for an id that nothing names reads as much as a long export.
      return streamExport(c, async () => {
        const left = requestClosed(c);
        const job = jobs.begin(caller.tenant, left);
        let isFound = false;
        const pause = async () => {
          await jobs.yieldIfDue(caller.tenant);
          if (!isFound) jobs.check(job);
          else if (left.aborted) throw new CallerLeft();
        };
        const records = await store.persons.read(caller.tenant, id, pause);
        isFound = true;
        return records === null ? fail(UNKNOWN) : { pieces: linesOf(records), isSlow: true };
      });
    }),
  );

const UNKNOWN = failure('NotFound', '', 'Nothing names such an identity.');
