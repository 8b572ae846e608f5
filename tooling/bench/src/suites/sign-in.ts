import type { SuiteResult } from '../measure/report.ts';
import { measureAnswerTimes } from '../sign-in/answer-times.ts';
import { measureSignInsBesidePredicts } from '../sign-in/beside-predicts.ts';
import { measureDecisions } from '../sign-in/decisions.ts';
import { measureSessionCost } from '../sign-in/session-cost.ts';

const PARTS: Readonly<Record<string, () => Promise<Omit<SuiteResult, 'name'>>>> = {
  'session-cost': measureSessionCost,
  decisions: measureDecisions,
  'answer-times': measureAnswerTimes,
  'beside-predicts': measureSignInsBesidePredicts,
};

/** What sessions and sign-ins cost. `BENCH_PARTS` selects some of the parts. */
export async function run(): Promise<SuiteResult> {
  const names = (process.env['BENCH_PARTS'] ?? Object.keys(PARTS).join(',')).split(',');
  const measured: Omit<SuiteResult, 'name'>[] = [];
  for (const name of names) {
    const measure = PARTS[name];
    if (measure === undefined) throw new Error(`No part ${name}. Parts: ${Object.keys(PARTS).join(', ')}`);
    measured.push(await measure());
  }
  return {
    name: 'sign-in',
    tables: measured.flatMap(({ tables }) => tables),
    figures: measured.flatMap(({ figures }) => figures),
    raw: Object.assign({}, ...measured.map(({ raw }) => raw)),
  };
}
