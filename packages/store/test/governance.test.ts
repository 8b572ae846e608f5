import { describe, inject } from 'vitest';
import { ENGINE } from './store-engine.ts';
import { describeBacklogs } from './suite/backlog-suite.ts';
import { describeChecks } from './suite/check-suite.ts';
import { describeExceptions } from './suite/exception-suite.ts';
import { describeExplanations } from './suite/explain-suite.ts';
import { describeExport } from './suite/export-suite.ts';
import { describeHeldChecks } from './suite/held-check-suite.ts';
import { describeImport } from './suite/import-suite.ts';
import { describeLookUps } from './suite/look-up-suite.ts';
import { describeReservations } from './suite/reservation-suite.ts';
import { describeSod } from './suite/sod-suite.ts';

describe(`the store on ${ENGINE.name}: access, policies, exceptions and checks`, () => {
  describeImport(ENGINE);
  describeExport(ENGINE);
  describeSod(ENGINE);
  describeExplanations(ENGINE);
  describeExceptions(ENGINE);
  describeReservations(ENGINE);
  // On Citus, those of `postgres-distributed-layout.test.ts` wait for the look at all tenants before each claim.
  if (!inject('isOnCitus')) {
    describeChecks(ENGINE);
    describeHeldChecks(ENGINE);
  }
  describeLookUps(ENGINE);
  describeBacklogs(ENGINE);
});
