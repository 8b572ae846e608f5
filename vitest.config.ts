import { DEPTH } from '@access-admin/test-depth';
import { defaultExclude, defineConfig } from 'vitest/config';
import { LongestFirst } from './tooling/test-depth/src/vitest/longest-first.ts';

// Packages import each other's sources: tests need no build of what they test.
const conditions = ['@access-admin/source', 'module', 'node', 'development|production'];

// Time limits of tests only end tests that hang. They hold on a machine that is busy with other work.
const HANG_MS = 300_000;

const full = DEPTH === 'full';

/** The tests of apps whose outcome depends most on the engine: transactions, races, counted attempts, search and order. At reduced depth only these run on PostgreSQL. */
const ENGINE_DEPENDENT = [
  'apps/api/test/{access-model,auth-users,authzen,bearer-tokens,bootstrap-client,check-list,controls,erasure,exports,held-bodies,inactive-identities,look-ups,oauth-clients,one-record,personal-data,receipts,reservations,rotate-client-secret,sailpoint-policies,sailpoint-violations,scim,scim-directories,secret-key,sessions,sign-in,sod-exceptions,sod-violations,tenants,tied-identities,unknown-tenants,verify-audit,violation-changes,violations}.test.ts',
  'apps/api/test/abuse/{clients-of-others,planted-factors,reborn-identities,sign-in,weaker-callers}.test.ts',
  'apps/worker/test/{erasures,mail,register,register-corrections,register-loop,register-moments,run-loop,shares,webhooks}.test.ts',
];

/** Tests that start processes: they run with those of whole services. */
const PROCESSES = '{packages,apps,tooling}/*/test/*.process.test.ts';
/** Those of them whose database is that of the suite. */
const PROCESSES_ON_ENGINES = [
  '{packages/store,apps/worker}/test/*.process.test.ts',
  'apps/cli/test/loads.process.test.ts',
];

/** The tests of the store that choose their databases, on a cluster and beside it. */
const OF_CLUSTERS = [
  'packages/store/test/postgres-{citus-faults,distribute,distributed-layout,one-node-commits,one-shard,told-tenants}.test.ts',
];
/** Tests of the plans, statements, sessions and locks of one server, and of moves between two; those of a cluster are among the tests of clusters. */
const OF_ONE_SERVER = [
  'packages/store/test/{postgres-deletions,postgres-exception-plans,postgres-register-races,postgres-storage,postgres-tenant-move,tenant-predicate}.test.ts',
];

interface Suite {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly engine?: 'sqlite' | 'postgres';
  /** Whether its databases are on the Citus cluster that TEST_CITUS_URL names. */
  readonly isOnCitus?: boolean;
  /** Whether it has files only where TEST_CITUS_URL names a cluster. */
  readonly needsCluster?: boolean;
  /** Suites of one group run at the same time, groups one after the other. */
  readonly group?: number;
  /** Whether its files run one at a time, as they measure the repository. */
  readonly isSerial?: boolean;
}

const suite = ({
  name,
  include,
  exclude = [],
  engine = 'sqlite',
  isOnCitus = false,
  needsCluster = isOnCitus,
  group = 0,
  isSerial = false,
}: Suite) => ({
  extends: true as const,
  test: {
    name,
    include: needsCluster && !process.env['TEST_CITUS_URL'] ? [] : [...include],
    exclude: [...defaultExclude, '**/dist/**', ...exclude],
    provide: { engine, isOnCitus },
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
      './tooling/bootstrap/progress-reporter.mjs',
    ],
    // Tests often wait; with vitest's default, one worker less than there are cores, a core would be idle.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
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
      suite({
        name: 'checks',
        group: 1,
        isSerial: true,
        include: ['tooling/checks/**/*.test.ts', 'tooling/bootstrap/*.test.mjs'],
      }),
      // Each file has processes, and perhaps a browser, of its own. One file keeps one core busy at most, and often waits: of these
      // suites, whichever run, several files run at a time.
      suite({
        name: 'e2e',
        group: 2,
        include: full
          ? ['tooling/e2e/*.test.ts', 'tooling/e2e/pictures/*.test.ts', PROCESSES]
          : ['tooling/e2e/journey.test.ts'],
      }),
      suite({ name: 'console', group: 2, include: full ? ['tooling/e2e/console/*.test.ts'] : [] }),
      suite({ name: 'harness', group: 2, include: full ? ['tooling/harness/**/*.test.ts'] : [] }),
      // Downloads generators and what compiles their clients: only `.ci/run` and whoever names it run it.
      suite({ name: 'generators', group: 2, include: ['tooling/generators/*.test.ts'] }),
      suite({
        name: 'e2e on postgres',
        engine: 'postgres',
        group: 2,
        include: full
          ? [
              'tooling/e2e/{events,journey,lifecycle,reports,shared-database,tenants,webhook-examples}.test.ts',
              ...PROCESSES_ON_ENGINES,
            ]
          : [],
      }),
      suite({
        name: 'store on citus',
        engine: 'postgres',
        isOnCitus: true,
        include: ['packages/store/test/!(sqlite-*).test.ts'],
        exclude: [PROCESSES, ...OF_CLUSTERS, ...OF_ONE_SERVER],
      }),
      suite({
        name: 'units on citus',
        engine: 'postgres',
        isOnCitus: true,
        include: ENGINE_DEPENDENT,
      }),
      suite({
        name: 'cluster on citus',
        engine: 'postgres',
        needsCluster: true,
        include: [...OF_CLUSTERS, 'apps/api/test/engines-agree.test.ts', 'apps/server/test/distribute.test.ts'],
      }),
      suite({
        name: 'e2e on citus',
        engine: 'postgres',
        isOnCitus: true,
        group: 2,
        include: ['tooling/e2e/journey.test.ts'],
      }),
      // Last: it reads what the coordinator has logged of the others.
      suite({
        name: 'log on citus',
        engine: 'postgres',
        isOnCitus: true,
        group: 3,
        include: ['packages/store/test/log-of-citus/*.test.ts'],
      }),
    ],
  },
});
