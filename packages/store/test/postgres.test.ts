import { createTestDatabase } from '@access-admin/postgres';
import { describe } from 'vitest';
import type { StoreEngine } from './store-engine.ts';
import { describeStore } from './suite/store-suite.ts';

const postgres: StoreEngine = { name: 'postgres', createDatabase: createTestDatabase };

describe('the store on PostgreSQL', () => describeStore(postgres));
