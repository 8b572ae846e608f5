import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { StoreEngine } from './store-engine.ts';
import { describeStore } from './suite/store-suite.ts';

const sqlite: StoreEngine = {
  name: 'sqlite',
  createDatabase: async () => {
    const directory = await mkdtemp(join(tmpdir(), 'access-admin-'));
    return { url: `sqlite:${join(directory, 'store.db')}`, remove: () => rm(directory, { recursive: true }) };
  },
};

describe('the store on SQLite', () => describeStore(sqlite));
