export type { TestDatabase } from './create-database.ts';
export { createEngineDatabase } from './create-engine-database.ts';
export { createTestDatabase } from './create-test-database.ts';
export { openTestServer, type TestServer } from './open-test-server.ts';
export { type PostgresServer, startPostgres } from './start-postgres.ts';
