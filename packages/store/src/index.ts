export { eachAssignment, unpackAccess } from './access-codec.ts';
export type { AuditCondition, AuditStore } from './audit-store.ts';
export { LEASE_MS_MAX } from './check-queue.ts';
export { DATABASE_URL_RULE, parseDatabaseUrl } from './database-url.ts';
export { openSqliteStore } from './open-sqlite.ts';
export { openStore } from './open-store.ts';
export { type ExplainedReading, type Prediction, type PredictionRequest, readExplained } from './read-explained.ts';
export { packedIdentity, packedLineOf, unpackReportLines } from './report-codec.ts';
export type { ReportIdentity, ReportSource } from './report-source.ts';
export type {
  ClaimedReport,
  CountedPolicy,
  NewReport,
  ReportBlock,
  ReportKey,
  ReportTotals,
  SodReportStore,
  StoredReport,
  ViolationQuery,
} from './report-store.ts';
export type { SigningKey, SigningKeyStore } from './signing-key-store.ts';
export type { ExceptionCondition, SodExceptionStore } from './sod-exception-store.ts';
export type { PolicyCondition, PolicySorter, SodPolicyStore } from './sod-policy-store.ts';
export {
  CACHE_BYTES_DEFAULT,
  CACHE_BYTES_MIN,
  createSodReader,
  type SodReader,
  type SodReading,
} from './sod-reader.ts';
export * from './store.ts';
