import { createSemaphore } from '@access-admin/scheduling';
import type { SodReading } from '@access-admin/store';
import { expect, test } from 'vitest';
import { contextOf } from '../../../test/context-of.ts';
import { createJobs } from '../../event-loop/jobs.ts';
import { predictBatch } from './predict-batch.ts';

test('a line for which the storage does not answer is refused at the deadline, and so are the lines after it', async () => {
  const elapsed = () => performance.now();
  const scheduler = { yield: async () => {}, yieldIfDue: () => undefined };
  const jobs = createJobs({ scheduler, elapsed, workMsMax: 20 });
  const explaining = createSemaphore({ capacity: 4, waitingMax: 0, waitMsMax: 1, elapsed });
  const never = new Promise<SodReading>(() => {});
  const c = contextOf({
    services: {
      reader: { read: () => never },
      semaphores: { explaining },
      scheduler,
      jobs,
      system: { now: () => new Date(0) },
      decisions: null,
    },
  });
  const caller = { tenant: 'acme', clientId: 'root', scopes: new Set<string>(), identityId: null, capabilities: [] };
  c.env.state.caller = caller;
  const line = JSON.stringify({ identityId: 'i', accessRefs: [{ type: 'ENTITLEMENT', id: 'e' }] });
  const answer = await predictBatch(c, { caller, params: {}, query: { include: [] }, body: [line, line] });
  const text = await answer.text();
  const lines = text.trim().split('\n');
  expect(lines.map((each) => JSON.parse(each).status)).toEqual([503, 503]);
  expect(explaining.usage().held).toBe(0);
});
