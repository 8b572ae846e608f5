import { DEPTH } from '@access-admin/test-depth';
import { defaultExclude, defineConfig } from 'vitest/config';

// Packages import each other's sources: tests need no build of what they test.
const conditions = ['@access-admin/source', 'module', 'node', 'development|production'];

// Time limits of tests only end tests that hang. They hold on a machine that is busy with other work.
const HANG_MS = 300_000;

const full = DEPTH === 'full';

/** The tests of apps whose outcome depends most on the engine: transactions, races, counted attempts, search and order. At reduced depth only these run on PostgreSQL. */
const ENGINE_DEPENDENT = [
  'apps/api/test/{access-model,auth-users,bootstrap-client,exports,oauth-clients,receipts,rotate-client-secret,sod-exceptions,sod-violations,tied-identities,verify-audit}.test.ts',
  'apps/api/test/abuse/{sign-in,weaker-callers}.test.ts',
  'apps/worker/test/{register,register-corrections,register-loop,register-moments,run-loop,shares}.test.ts',
];

/** Tests that start processes: they run with those of whole services. */
const PROCESSES = '{packages,apps}/*/test/*.process.test.ts';
const PROCESSES_ON_ENGINES = '{packages/store,apps/api,apps/worker}/test/*.process.test.ts';

interface Suite {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly engine?: 'sqlite' | 'postgres';
  /** Suites of one group run at the same time, groups one after the other. */
  readonly group?: number;
  /** Whether its files run one at a time, as they start processes or measure the repository. */
  readonly isSerial?: boolean;
}

const suite = ({ name, include, exclude = [], engine = 'sqlite', group = 0, isSerial = false }: Suite) => ({
  extends: true as const,
  test: {
    name,
    include: [...include],
    exclude: [...defaultExclude, '**/dist/**', ...exclude],
    provide: { engine },
    fileParallelism: !isSerial,
    sequence: { groupOrder: group },
  },
});

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@access-admin/source'] } },
  test: {
    // Both run once for all suites; the second starts no server before a test requests one.
    globalSetup: ['tooling/test-depth/src/vitest/setup.ts', 'tooling/harness/src/databases/vitest-setup.ts'],
    reporters: [
      'default',
      './tooling/test-depth/src/vitest/failure-reporter.ts',
      './tooling/bootstrap/count-reporter.mjs',
    ],
    // Tests often wait; with vitest's default, one worker less than there are cores, a core would be idle.
    maxWorkers: '100%',
    // Loading each file's imports anew would double the time of the units. No test may change a module's state for others.
    pool: 'threads',
    isolate: false,
    restoreMocks: true,
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      suite({
        name: 'units',
        include: [
          'packages/*/src/**/*.test.ts',
          'packages/!(store)/test/**/*.test.ts',
          'apps/*/{src,test}/**/*.test.ts',
          'tooling/{sample,site,bench,proof,test-depth}/**/*.test.ts',
        ],
        exclude: [PROCESSES],
      }),
      suite({ name: 'store', include: ['packages/store/test/!(postgres-*).test.ts'], exclude: [PROCESSES] }),
      suite({
        name: 'store on postgres',
        engine: 'postgres',
        include: ['packages/store/test/!(sqlite-*).test.ts'],
        exclude: [PROCESSES],
      }),
      suite({
        name: 'units on postgres',
        engine: 'postgres',
        include: full ? ['apps/*/test/**/*.test.ts'] : ENGINE_DEPENDENT,
        exclude: [PROCESSES],
      }),
      suite({ name: 'checks', group: 1, isSerial: true, include: ['tooling/checks/**/*.test.ts'] }),
      suite({
        name: 'e2e',
        group: 2,
        isSerial: true,
        include: full
          ? ['tooling/e2e/*.test.ts', 'tooling/e2e/pictures/*.test.ts', PROCESSES]
          : ['tooling/e2e/journey.test.ts'],
      }),
      // Each file has a service and a browser of its own, and waits for them most of the time.
      suite({ name: 'console', group: 3, include: full ? ['tooling/e2e/console/*.test.ts'] : [] }),
      suite({
        name: 'harness',
        group: 4,
        isSerial: true,
        include: full ? ['tooling/harness/**/*.test.ts'] : [],
      }),
      suite({
        name: 'e2e on postgres',
        engine: 'postgres',
        group: 5,
        isSerial: true,
        include: full
          ? [
              'tooling/e2e/{events,journey,lifecycle,reports,shared-database,webhook-examples}.test.ts',
              PROCESSES_ON_ENGINES,
            ]
          : [],
      }),
    ],
  },
});
