import type { Campaign } from '../campaign/campaign.ts';
import { failingDisk } from '../disk/failing-disk.ts';
import { powerCut } from '../disk/power-cut.ts';
import { killsInLoads } from '../loads/kills-in-loads.ts';
import { neighbours } from '../neighbours/neighbours.ts';
import { clockJumps } from '../outages/clock-jumps.ts';
import { nodesAway } from '../outages/nodes-away.ts';
import { postgresOutages } from '../outages/postgres-outages.ts';
import { killsUnderLoad, rollingRestarts } from '../outages/replaced-processes.ts';
import { workerPausedPastLease } from '../outages/worker-paused-past-lease.ts';
import { competingWrites } from '../races/competing-writes.ts';
import { conflictingRequests } from '../races/conflicting-requests.ts';
import { lastAdministrators } from '../races/last-administrators.ts';
import { interruptedMigrations } from '../recovery/interrupted-migrations.ts';
import { tenantsApart } from '../tenants/tenants-apart.ts';
import { rollingUpgrade } from '../upgrades/rolling-upgrade.ts';
import { patches, predictions, registerHistories, rightsMatrix } from './full-depth.ts';

/**
 * All campaigns, in the order of a whole run. A short run has two at a time: those that wait alternate with those that compute,
 * and those that measure time come last.
 */
export const campaigns: readonly Campaign[] = [
  rollingUpgrade,
  killsUnderLoad,
  predictions,
  powerCut,
  patches,
  clockJumps,
  killsInLoads,
  registerHistories,
  rightsMatrix,
  competingWrites,
  lastAdministrators,
  conflictingRequests,
  interruptedMigrations,
  tenantsApart,
  rollingRestarts,
  failingDisk,
  workerPausedPastLease,
  postgresOutages,
  nodesAway,
  neighbours,
];
