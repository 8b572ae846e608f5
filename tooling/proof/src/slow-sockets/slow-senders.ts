import { fileURLToPath } from 'node:url';
import { freePort, startProcess } from '@access-admin/harness';
import { type Campaign, type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { openFleet } from '../service/open-fleet.ts';
import { attackTarget } from './attack.ts';
import { openTarget, readAnswers } from './open-target.ts';

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

async function attack(run: CampaignRun): Promise<Outcome> {
  await using fleet = await openFleet(run.engine, { apis: 1, workers: 0, env: () => ({ LOG_LEVEL: 'info' }) });
  const target = await openTarget(fleet);
  const { counts, broken } = await attackTarget(target, run);
  const lines = readAnswers(fleet.apis[0]?.process.output() ?? '');
  return {
    counts: { ...counts, 'log lines': lines.length },
    broken: [
      ...broken,
      // The sender of an aborted upload gets no answer.
      ...summed(
        'lines of aborted uploads',
        lines.filter((line) => /"status":(400|408|5\d\d)/.test(line)),
      ),
      ...fleet.crashes(),
    ],
  };
}

/** Attacks a Node server without limits. */
async function attackUnguarded(run: CampaignRun): Promise<Outcome> {
  const port = await freePort();
  const path = fileURLToPath(new URL('./unguarded-server.ts', import.meta.url));
  await using server = startProcess([process.execPath, path], { cwd: process.cwd(), env: { PORT: String(port) } });
  const address = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    run.signal.throwIfAborted();
    if (server.pid === 0) throw new Error('the server did not start');
  }
  // Awaited here: the server ends with this function.
  return await attackTarget({ port, token: 'none' }, run);
}
