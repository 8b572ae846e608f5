import { fileURLToPath } from 'node:url';
import { freePort, startProcess } from '@access-admin/harness';
import type { Campaign, CampaignRun, Outcome } from '../campaign.ts';
import { summed } from '../processes/audit.ts';
import { openFleet } from '../processes/fleet.ts';
import { attackDoor } from './attack-door.ts';
import { openDoor, readAnswers } from './open-door.ts';

/** F9: senders and readers that are slow on purpose are closed, and nobody else notices. */
export const f9: Campaign = {
  id: 'F9',
  title: 'slow, silent and endless sockets beside 20 callers who behave',
  unit: 'sockets',
  full: 2000,
  short: 300,
  engines: ['sqlite'],
  run: attack,
  control: attackUnguarded,
};

async function attack(run: CampaignRun): Promise<Outcome> {
  await using fleet = await openFleet(run.engine, { apis: 1, workers: 0, env: () => ({ LOG_LEVEL: 'info' }) });
  const door = await openDoor(fleet);
  const { counts, broken } = await attackDoor(door, run);
  const lines = readAnswers(fleet.apis[0]?.process.output() ?? '');
  return {
    counts: { ...counts, 'log lines': lines.length },
    broken: [
      ...broken,
      // Nobody was there any more to be answered.
      ...summed(
        'lines of aborted uploads',
        lines.filter((line) => /"status":(400|408|5\d\d)/.test(line)),
      ),
      ...summed('processes fallen', fleet.fallen),
    ],
  };
}

/** The same against a server of Node's without any limit. */
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
  return await attackDoor({ port, token: 'none' }, run);
}
