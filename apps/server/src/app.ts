import { type CommandContext, type ExitCode, runCommand } from '@access-admin/cli';
import { addBackup } from './commands/backup.ts';
import { addClientsReset } from './commands/clients-reset.ts';
import type { ServerContext } from './commands/context.ts';
import { addDistribute } from './commands/distribute.ts';
import { examinationOf } from './commands/examination.ts';
import { addInvite } from './commands/invite.ts';
import { addKeys } from './commands/keys.ts';
import { addMigrate } from './commands/migrate.ts';
import { addRestore } from './commands/restore.ts';
import { addServe } from './commands/serve.ts';
import { addTenantsDelete } from './commands/tenants-delete.ts';
import { addTenantsMove } from './commands/tenants-move.ts';

/** Whether arguments have no command. A word that is no command must not be taken for an argument of `serve`. */
const isDefault = ([first]: readonly string[]): boolean => first === undefined || first.startsWith('-');

/** Whether arguments run the service, which takes as long to stop as its requests need. */
export const isServe = (args: readonly string[]): boolean => isDefault(args) || args[0] === 'serve';

/** Runs the command with its arguments: `serve` without any. Resolves with the exit code. */
export function runServerCommand(
  args: readonly string[],
  context: CommandContext,
  server: ServerContext,
): Promise<ExitCode> {
  return runCommand(args, context, {
    description:
      'Who may administer what, and which separation-of-duties policies a grant would break: the service, its database, rulebooks as files, and data in and out. Without a command it is `serve`.',
    commands: [
      addServe(server, { isDefault: isDefault(args) }),
      addBackup(server),
      addRestore(server),
      addMigrate(server),
      addDistribute(server),
      addKeys(server),
      addClientsReset(server),
      addInvite(server),
      addTenantsDelete(server),
      addTenantsMove(server),
    ],
    examination: examinationOf(server, context.now),
  });
}
