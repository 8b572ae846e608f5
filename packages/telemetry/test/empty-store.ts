import type { MeasuredStore } from '../src/index.ts';

const NOTHING = { depth: 0, oldest: null };

/** A store in which nothing waits. */
export const emptyStore = (overrides: Partial<MeasuredStore> = {}): MeasuredStore => ({
  checks: { measureBacklog: async () => NOTHING },
  reports: { measureBacklog: async () => NOTHING },
  register: { measureBacklog: async () => NOTHING, countCorrected: async () => 0 },
  webhooks: { measureBacklog: async () => NOTHING },
  measureStorage: async () => ({ databaseBytes: 4096, disk: { freeBytes: 10, sizeBytes: 20 } }),
  ...overrides,
});
