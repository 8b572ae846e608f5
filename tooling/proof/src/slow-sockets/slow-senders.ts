import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { COMPANY, changingPolicy } from '../load/company.ts';
import { openFleet } from '../service/open-fleet.ts';
import { attackTarget } from './attack.ts';
import { openUnguardedServer } from './unguarded-server.ts';

/** F9: slow senders and readers are disconnected, and other callers do not notice. */
export const slowSenders: Campaign = {
  id: 'F9',
  title: 'slow, silent and endless sockets beside 20 well-behaved callers',
  unit: 'sockets',
  full: 2000,
  short: 300,
  engines: ['sqlite'],
  run: attack,
  control: attackUnguarded,
};

const LONG_TEXT = 'x'.repeat(4000);
/** Policies that make an export longer than all buffers between two processes: about 12 MB. */
const LONG_MODEL = Array.from({ length: 1000 }, (_, number) => ({
  ...changingPolicy(`p-long-${number}`, number),
  description: LONG_TEXT,
  compensatingControls: LONG_TEXT,
  correctionAdvice: LONG_TEXT,
}));

async function attack(run: CampaignRun): Promise<Outcome> {
  await using fleet = await openFleet(run.engine, { apis: 1, workers: 0, env: () => ({ LOG_LEVEL: 'info' }) });
  await fleet.root.accessModel.import([...COMPANY, ...LONG_MODEL]);
  const { token } = await fleet.register();
  const { counts, broken } = await attackTarget({ port: Number(new URL(fleet.api.baseAddress).port), token }, run);
  const lines = fleet.api.process
    .output()
    .split('\n')
    .filter((line) => line.endsWith('"msg":"request"}'));
  // The sender of an aborted upload gets no answer.
  const aborted = lines.filter((line) => /"status":(400|408|5\d\d)/.test(line));
  return {
    counts: { ...counts, 'log lines': lines.length },
    broken: [...broken, ...summed('lines of aborted uploads', aborted), ...fleet.crashes()],
  };
}

/** Attacks a Node server without limits. */
async function attackUnguarded(run: CampaignRun): Promise<Outcome> {
  await using server = await openUnguardedServer();
  // Awaited here: the server ends with this function.
  return await attackTarget({ port: server.port, token: 'none' }, run);
}
