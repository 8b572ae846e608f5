import { defaultExclude, defineConfig } from 'vitest/config';

// Packages import each other's sources: tests need no build of what they test.
const conditions = ['@access-admin/source', 'module', 'node', 'development|production'];

// Unit and API tests; what starts processes or checks the repository runs apart, one file at a time.
const oneAtATime = (name: string, groupOrder: number, timeoutMs: number) => ({
  extends: true as const,
  test: {
    name,
    include: [`tooling/${name}/**/*.test.ts`],
    provide: { engine: 'sqlite' as const },
    fileParallelism: false,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    sequence: { groupOrder },
  },
});

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@access-admin/source'] } },
  test: {
    // Once for all projects; starts nothing before a test asks for it.
    globalSetup: 'tooling/harness/src/databases/vitest-setup.ts',
    exclude: [...defaultExclude, '**/dist/**'],
    // Much of a test's time is waiting: with one worker less than there are cores, as it would be, a core lies idle.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: [
            'packages/*/{src,test}/**/*.test.ts',
            'apps/*/{src,test}/**/*.test.ts',
            'tooling/{sample,bench,proof}/**/*.test.ts',
          ],
          provide: { engine: 'sqlite' },
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'units on postgres',
          include: ['apps/*/test/**/*.test.ts'],
          provide: { engine: 'postgres' },
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      oneAtATime('checks', 1, 120_000),
      oneAtATime('e2e', 2, 90_000),
      oneAtATime('harness', 3, 60_000),
      {
        extends: true,
        test: {
          ...oneAtATime('e2e', 4, 90_000).test,
          name: 'e2e on postgres',
          include: ['tooling/e2e/{journey,lifecycle,reports,shared-database}.test.ts'],
          provide: { engine: 'postgres' },
        },
      },
    ],
  },
});
