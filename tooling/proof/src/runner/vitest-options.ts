import { fileURLToPath } from 'node:url';
import type { createVitest, Reporter } from 'vitest/node';
import type { Asked } from './parse-arguments.ts';

declare module 'vitest' {
  interface ProvidedContext {
    asked: Omit<Asked, 'json'> & { readonly seed: number };
  }
}

const HOURS_MS = 3_600_000;
const conditions = ['@access-admin/source', 'module', 'node', 'development|production'];

/** Packages are imported from their sources. */
export const viteOptions: Parameters<typeof createVitest>[2] = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@access-admin/source'] } },
};

/** The project "campaigns": all campaigns one after the other, in one process. */
export const vitestOptions = (reporter: Reporter): Parameters<typeof createVitest>[1] => ({
  name: 'campaigns',
  config: false,
  root: fileURLToPath(new URL('../../', import.meta.url)),
  watch: false,
  include: ['src/runner/run.campaign.ts'],
  reporters: [reporter],
  pool: 'forks',
  execArgv: ['--conditions=@access-admin/source'],
  testTimeout: 6 * HOURS_MS,
  teardownTimeout: 60_000,
});
