import { createTestDatabase } from '@access-admin/harness';
import { describe } from 'vitest';
import type { StoreEngine } from './store-engine.ts';
import { describeStore } from './suite/store-suite.ts';

const postgres: StoreEngine = { name: 'postgres', createDatabase: createTestDatabase };

// Each test creates a database, which takes time on a busy machine.
describe('the store on PostgreSQL', () => describeStore(postgres));
