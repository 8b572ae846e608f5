export { runCommand } from './app.ts';
export {
  type CommandContext,
  type CommandParent,
  formatOf,
  RESULT_FORMATS,
} from './commands/context.ts';
export { writeFacts, writeRows } from './commands/service.ts';
export { verifyBackup } from './files/verify-backup.ts';
export { isReplaceable } from './files/write-whole.ts';
export { CommandFailure, calledWrongly, EXIT, type ExitCode } from './output/failure.ts';
export type { Output } from './output/output.ts';
export { contextOf } from './process/context-of.ts';
