export { type OpenChromium, openChromium, whyNoChromium } from './browser/open-chromium.ts';
export { captureCommand } from './commands/capture.ts';
export { createClusterDatabase } from './databases/create-on-cluster.ts';
export { createEngineDatabase } from './databases/create-on-engine.ts';
export { createTestDatabase } from './databases/create-on-postgres.ts';
export { holdTransaction } from './databases/hold-transaction.ts';
export { openRowReader, type RowReader, readRows } from './databases/read-rows.ts';
export { freePort } from './machine/free-port.ts';
export { openFolder, type TemporaryFolder } from './machine/open-folder.ts';
export { ROOT } from './machine/root.ts';
export { openSmallDisk, whyNoSmallDisk } from './machine/small-disk.ts';
export { endOfLog, type LogEnd, type LoggedTransaction, readLog } from './postgres/coordinator-log.ts';
export { createDatabase, type TestDatabase } from './postgres/create-database.ts';
export {
  createEmptyOnCitus,
  createOnCitus,
  distributeByCommand,
  removeTemplateOnCitus,
} from './postgres/create-on-citus.ts';
export { type PostgresServer, startPostgres } from './postgres/start-server.ts';
export { signalFamily } from './processes/kill-family.ts';
export { type Ending, type RunningProcess, startProcess } from './processes/start.ts';
export { startApp, startAppFromSources, startNode } from './processes/start-app.ts';
export { DIRECTORY_BIND_DN, type RunningDirectory, startDirectory, whyNoDirectory } from './services/directory.ts';
export { type RunningNginx, startNginx, whyNoNginx } from './services/nginx.ts';
export { becomesReady, openService, type RunningApi, type Service, type ServiceOptions } from './services/open.ts';
export { type JourneyService, openJourneyService } from './services/open-for-journey.ts';
export { openTestService } from './services/open-for-test.ts';
export { type RunningOpenidProvider, startOpenidProvider } from './services/openid-provider.ts';
