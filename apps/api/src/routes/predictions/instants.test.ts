import { operationOf } from '@access-admin/contract';
import { compileSodIndex } from '@access-admin/domain';
import { createSemaphore } from '@access-admin/scheduling';
import { expect, test } from 'vitest';
import { contextOf } from '../../../test/context-of.ts';
import { textOf } from '../../../test/text-of.ts';
import { createJobs } from '../../event-loop/jobs.ts';
import { explainPieces, type PredictDeps, predictSodViolations } from './predict.ts';
import { predictBatch } from './predict-batch.ts';

const START_MS = Date.parse('2026-03-01T12:00:00.000Z');
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
  const jobs = createJobs({
    scheduler: { yield: async () => {}, yieldIfDue: () => undefined },
    elapsed: () => 0,
    workMsMax: 2_000,
  });
  const explaining = createSemaphore({ capacity: 4, waitingMax: 0, waitMsMax: 1, elapsed: () => 0 });
  const deps = {
    reader: {
      read: () => {
        clock.ms += 1_000;
        return reading;
      },
    },
    sod: { readExplanation: async () => null },
    explaining,
    jobs,
    now: () => new Date(clock.ms),
    decisions: null,
  };
  return { deps, job: jobs.begin('acme', null) };
}

const REQUEST = {
  c: contextOf(),
  caller: { tenant: 'acme', clientId: 'root', scopes: new Set<string>(), identityId: null, capabilities: [] },
  params: {},
  query: { include: [] },
};

const predict = (deps: PredictDeps) =>
  predictSodViolations(deps)({
    ...REQUEST,
    operation: operationOf('start-predict-sod-violations-v1'),
    body: QUESTION,
  });

const predictLine = (deps: PredictDeps) =>
  predictBatch(deps)({
    ...REQUEST,
    operation: operationOf('start-predict-sod-violations-batch-v1'),
    body: [JSON.stringify({ identityId: 'i', accessRefs: [] })],
  });

const asOfIn = (text: string): string => /"asOf":"([^"]*)"/.exec(text)?.[1] ?? '';

test.each(['a prediction', 'an explained prediction', 'a line of a batch'])(
  '%s tells an instant before its data were read',
  async (kind) => {
    const { deps, job } = openTicking();
    const answer = async () => {
      if (kind === 'an explained prediction') {
        const pieces = await explainPieces(deps, { job, includes: ['via'], log: null }, QUESTION);
        return pieces.ok ? textOf({ pieces: pieces.value }) : '';
      }
      const result = await (kind === 'a prediction' ? predict(deps) : predictLine(deps));
      return result.ok && 'text' in result.value ? textOf(result.value.text) : '';
    };
    expect(asOfIn(await answer())).toBe(new Date(START_MS).toISOString());
  },
);
