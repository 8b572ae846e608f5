export { openSqliteStore } from './open-sqlite.ts';
export { openStore } from './open-store.ts';
export { createSodReader, type SodReader, type SodReading } from './sod-reader.ts';
export * from './store.ts';
