import { compileSodIndex } from '@access-admin/domain';
import { createSemaphore } from '@access-admin/scheduling';
import { expect, test } from 'vitest';
import { contextOf } from '../../../test/context-of.ts';
import { textOf } from '../../../test/text-of.ts';
import type { RequestContext } from '../../env.ts';
import { createJobs } from '../../event-loop/jobs.ts';
import { explainPieces, predict } from './predict.ts';
import { predictBatch } from './predict-batch.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
const CALLER = { tenant: 'acme', clientId: 'root', scopes: new Set<string>(), identityId: null, capabilities: [] };
const QUESTION = { identityId: 'i', accessRefs: [], at: null, clientMetadata: null };

/** What predictions need, where time passes while data are read. */
function openTicking() {
  const clock = { ms: START_MS };
  const index = compileSodIndex([], { entitlements: [], accessProfiles: [], roles: [] });
  const reading = {
    index,
    held: new Uint32Array(0),
    timed: null,
    exceptions: null,
    policySetVersion: 1,
    changeId: null,
    revision: 1,
  };
  const scheduler = { yield: async () => {}, yieldIfDue: () => undefined };
  const jobs = createJobs({
    scheduler,
    elapsed: () => 0,
    workMsMax: 2_000,
  });
  const explaining = createSemaphore({ capacity: 4, waitingMax: 0, waitMsMax: 1, elapsed: () => 0 });
  const c = contextOf({
    services: {
      reader: {
        read: () => {
          clock.ms += 1_000;
          return reading;
        },
      },
      store: { sod: { readExplanation: async () => null } },
      semaphores: { explaining },
      scheduler,
      jobs,
      system: { now: () => new Date(clock.ms) },
      decisions: null,
    },
  });
  c.env.state.caller = CALLER;
  return { c, job: jobs.begin('acme', null) };
}

const INPUT = { caller: CALLER, params: {}, query: { include: [] } };

const predictOne = (c: RequestContext) => predict(c, { ...INPUT, body: QUESTION });

const predictLine = (c: RequestContext) =>
  predictBatch(c, { ...INPUT, body: [JSON.stringify({ identityId: 'i', accessRefs: [] })] });

const asOfIn = (text: string): string => /"asOf":"([^"]*)"/.exec(text)?.[1] ?? '';

test.each(['a prediction', 'an explained prediction', 'a line of a batch'])(
  '%s tells an instant before its data were read',
  async (kind) => {
    const { c, job } = openTicking();
    const answer = async () => {
      if (kind === 'an explained prediction') {
        const pieces = await explainPieces(c.env.services, { job, includes: ['via'], log: null }, QUESTION);
        return pieces.ok ? textOf({ pieces: pieces.value }) : '';
      }
      const answered = await (kind === 'a prediction' ? predictOne(c) : predictLine(c));
      return answered instanceof Response ? answered.text() : '';
    };
    expect(asOfIn(await answer())).toBe(new Date(START_MS).toISOString());
  },
);
