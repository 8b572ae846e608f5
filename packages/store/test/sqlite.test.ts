import { createEngineDatabase } from '@access-admin/harness';
import { describe } from 'vitest';
import type { StoreEngine } from './store-engine.ts';
import { describeStore } from './suite/store-suite.ts';

const sqlite: StoreEngine = {
  name: 'sqlite',
  createDatabase: (migrate) => createEngineDatabase('sqlite', migrate),
};

describe('the store on SQLite', () => describeStore(sqlite));
