import type { Campaign } from '../campaign/campaign.ts';
import { failingDisk } from '../disk/failing-disk.ts';
import { powerCut } from '../disk/power-cut.ts';
import { neighbours } from '../neighbours/neighbours.ts';
import { clockJumps } from '../outages/clock-jumps.ts';
import { postgresOutages } from '../outages/postgres-outages.ts';
import { killsUnderLoad, rollingRestarts } from '../outages/replaced-processes.ts';
import { workerPausedPastLease } from '../outages/worker-paused-past-lease.ts';
import { competingWrites } from '../races/competing-writes.ts';
import { lastAdministrators } from '../races/last-administrators.ts';
import { interruptedMigrations } from '../recovery/interrupted-migrations.ts';
import { tenantsApart } from '../tenants/tenants-apart.ts';
import { patches, predictions, registerHistories, rightsMatrix } from './full-depth.ts';

/** All campaigns, in the order of a whole run. */
export const campaigns: readonly Campaign[] = [
  killsUnderLoad,
  powerCut,
  failingDisk,
  workerPausedPastLease,
  postgresOutages,
  clockJumps,
  rollingRestarts,
  competingWrites,
  lastAdministrators,
  predictions,
  patches,
  registerHistories,
  interruptedMigrations,
  rightsMatrix,
  tenantsApart,
  neighbours,
];
