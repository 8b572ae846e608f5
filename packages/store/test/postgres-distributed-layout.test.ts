import { createClusterDatabase } from '@access-admin/harness';
import { describe } from 'vitest';
import type { StoreEngine } from './store-engine.ts';
import { describeChecks } from './suite/check-suite.ts';
import { describeEvents } from './suite/event-suite.ts';
import { describeHeldChecks } from './suite/held-check-suite.ts';
import { describeSessions } from './suite/session-suite.ts';

const ENGINE: StoreEngine = { name: 'postgres', createDatabase: () => createClusterDatabase() };

describe('a store on Citus', () => {
  describeChecks(ENGINE);
  describeHeldChecks(ENGINE);
  describeEvents(ENGINE);
  describeSessions(ENGINE);
});
