export { runCommand } from './app.ts';
export {
  type CommandContext,
  type CommandParent,
  formatOf,
  RESULT_FORMATS,
} from './commands/context.ts';
export type { Examination, Finding } from './commands/doctor.ts';
export { namesService, writeFacts, writeRows } from './commands/service.ts';
export { confirmedTenant, deleteTenantOfService, type TenantDeletionOptions } from './commands/tenants.ts';
export { reasonOf } from './files/read-text.ts';
export { openTemporary } from './files/temporary.ts';
export { verifyBackup } from './files/verify-backup.ts';
export { isReplaceable, writeWhole } from './files/write-whole.ts';
export { CommandFailure, calledWrongly, EXIT, type ExitCode } from './output/failure.ts';
export type { Output } from './output/output.ts';
export { serveThread } from './population/threads.ts';
export { contextOf } from './process/context-of.ts';
export { listenForStop } from './process/stop.ts';
