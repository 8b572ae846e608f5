import { operationOf } from '@access-admin/contract';
import { createSemaphore } from '@access-admin/scheduling';
import type { SodReading } from '@access-admin/store';
import { expect, test } from 'vitest';
import { contextOf } from '../../../test/context-of.ts';
import { textOf } from '../../../test/text-of.ts';
import { createJobs } from '../../event-loop/jobs.ts';
import { predictBatch } from './predict-batch.ts';

test('a line for which the storage does not answer is refused at the deadline, and so are the lines after it', async () => {
  const elapsed = () => performance.now();
  const jobs = createJobs({
    scheduler: { yield: async () => {}, yieldIfDue: () => undefined },
    elapsed,
    workMsMax: 20,
  });
  const explaining = createSemaphore({ capacity: 4, waitingMax: 0, waitMsMax: 1, elapsed });
  const never = new Promise<SodReading>(() => {});
  const answer = predictBatch({
    jobs,
    explaining,
    now: () => new Date(0),
    decisions: null,
    reader: { read: () => never },
    sod: { readExplanation: async () => null },
  });
  const line = JSON.stringify({ identityId: 'i', accessRefs: [{ type: 'ENTITLEMENT', id: 'e' }] });
  const result = await answer({
    c: contextOf(),
    operation: operationOf('start-predict-sod-violations-batch-v1'),
    caller: { tenant: 'acme', clientId: 'root', scopes: new Set(), identityId: null, capabilities: [] },
    params: {},
    query: { include: [] },
    body: [line, line],
  });
  if (!result.ok || !('text' in result.value)) throw new Error('No text.');
  const text = await textOf(result.value.text);
  const lines = text.trim().split('\n');
  expect(lines.map((each) => JSON.parse(each).status)).toEqual([503, 503]);
  expect(explaining.usage().held).toBe(0);
});
