import type { Campaign } from '../campaign/campaign.ts';
import { failingDisk } from '../disk/failing-disk.ts';
import { powerCut } from '../disk/power-cut.ts';
import { fuzzRequests } from '../fuzz/fuzz-requests.ts';
import { malformedRequests } from '../malformed/malformed-requests.ts';
import { neighbours } from '../neighbours/neighbours.ts';
import { clockJumps } from '../outages/clock-jumps.ts';
import { postgresOutages } from '../outages/postgres-outages.ts';
import { killsUnderLoad, rollingRestarts } from '../outages/replaced-processes.ts';
import { workerPausedPastLease } from '../outages/worker-paused-past-lease.ts';
import { competingWrites } from '../races/competing-writes.ts';
import { lastAdministrators } from '../races/last-administrators.ts';
import { backupUnderLoad } from '../recovery/backup-under-load.ts';
import { interruptedMigrations } from '../recovery/interrupted-migrations.ts';
import { registerMoments } from '../register/moments.ts';
import { slowSenders } from '../slow-sockets/slow-senders.ts';
import { tenantsApart } from '../tenants/tenants-apart.ts';
import { badWebhooks } from '../webhooks/bad-webhooks.ts';
import { patches, predictions, registerHistories, rightsMatrix } from './full-depth.ts';

/** All campaigns, in the order of a whole run. */
export const campaigns: readonly Campaign[] = [
  killsUnderLoad,
  powerCut,
  failingDisk,
  workerPausedPastLease,
  postgresOutages,
  clockJumps,
  slowSenders,
  rollingRestarts,
  competingWrites,
  lastAdministrators,
  predictions,
  patches,
  registerHistories,
  registerMoments,
  interruptedMigrations,
  backupUnderLoad,
  fuzzRequests,
  malformedRequests,
  rightsMatrix,
  tenantsApart,
  neighbours,
  badWebhooks,
];
