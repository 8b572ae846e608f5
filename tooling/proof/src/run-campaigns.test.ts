import { expect, test } from 'vitest';
import type { Campaign, CampaignRun } from './campaign.ts';
import { runCampaigns } from './run-campaigns.ts';

const asked = { engine: null, seed: 7, counts: {}, short: false, control: false };
const silent = { print() {}, say() {} };
const neverAborted = new AbortController().signal;

/** Notes what it was run with; its control breaks something. */
function recording(id: string, runs: string[]): Campaign {
  const note = (kind: string) => async (run: CampaignRun) => {
    runs.push(`${kind} ${run.engine} ${run.count} ${run.seed}`);
    return { counts: {}, broken: kind === 'control' ? ['as planned'] : [] };
  };
  const counts = { unit: 'kills', full: 200, short: 30 };
  const [run, control] = [note('run'), note('control')];
  return { id, title: id, ...counts, engines: ['sqlite', 'postgres'], run, control };
}

test('each campaign runs on each of its engines, with its controls where asked', async () => {
  const runs: string[] = [];
  const campaigns = [recording('F1', runs)];
  await runCampaigns({ ...asked, campaigns, control: true }, neverAborted, silent);
  expect(runs).toEqual(['run sqlite 200 7', 'control sqlite 200 7', 'run postgres 200 7', 'control postgres 200 7']);
});

test('a count that is given goes before the short one, and that before the full one', async () => {
  const runs: string[] = [];
  const campaigns = [recording('F1', runs)];
  const sqlite = { ...asked, campaigns, engine: 'sqlite' as const };
  await runCampaigns(sqlite, neverAborted, silent);
  await runCampaigns({ ...sqlite, short: true }, neverAborted, silent);
  await runCampaigns({ ...sqlite, short: true, counts: { kills: 3 } }, neverAborted, silent);
  expect(runs).toEqual(['run sqlite 200 7', 'run sqlite 30 7', 'run sqlite 3 7']);
});

test('a campaign that rejects fails without keeping the next from its run', async () => {
  const runs: string[] = [];
  const broken = { ...recording('F1', []), run: () => Promise.reject(new Error('no port')) };
  const campaigns = [broken, recording('F2', runs)];
  const reports = await runCampaigns({ ...asked, campaigns, engine: 'sqlite' }, neverAborted, silent);
  expect(reports.map(({ id, error }) => [id, error])).toEqual([
    ['F1', expect.stringContaining('no port')],
    ['F2', null],
  ]);
});

test('what is aborted ends early and starts nothing more', async () => {
  const stopping = new AbortController();
  const run = async () => {
    stopping.abort();
    throw new Error('stopped');
  };
  const campaigns = [{ ...recording('F1', []), run }];
  const reports = await runCampaigns({ ...asked, campaigns }, stopping.signal, silent);
  expect(reports.map(({ engine, error }) => [engine, error])).toEqual([['sqlite', 'ended early']]);
});
