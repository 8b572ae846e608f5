import { resolve } from 'node:path';
import { CommandFailure, type CommandParent, calledWrongly } from '@access-admin/cli';
import { restore, verifyForRestore } from '../database/restore.ts';
import { sqlitePathOf } from '../database/sqlite-path.ts';
import type { ServerContext } from './context.ts';
import { outcomeWriter } from './outcome-writer.ts';
import { stampOf } from './stamp-of.ts';

interface Options {
  readonly from: string;
  readonly yes: boolean;
}

/** `restore`: a backup in the place of the SQLite database of a service that is stopped. */
export const addRestore =
  (server: ServerContext) =>
  (parent: CommandParent): void => {
    const { program, context, run } = parent;
    program
      .command('restore')
      .description('put a backup in the place of the SQLite database of DATABASE_URL, while the service is stopped')
      .requiredOption('--from <file>', 'the backup')
      .option('--yes', 'confirms that the database is to be replaced', false)
      .action(
        run(async ({ from, yes }: Options) => {
          const writeOutcome = outcomeWriter(parent);
          const database = sqlitePathOf(server);
          const backup = resolve(server.folder, from);
          await verifyForRestore(backup, database, context.signal);
          if (!yes && !context.isInteractive)
            throw calledWrongly(`restore replaces ${database}: confirm it by --yes, as there is no terminal to ask at`);
          if (!yes && !(await context.confirm(`Replace ${database} by ${backup}? The present one is kept beside it.`)))
            throw new CommandFailure('nothing was restored');
          const aside = `${database}.before-${stampOf(context.now())}`;
          const kept = await restore(backup, database, { aside, ...context });
          const old = kept === null ? 'There was none before.' : `The one before is kept at ${kept}.`;
          return writeOutcome({ database, backup, kept }, `access-admin: ${database} is now as in ${backup}. ${old}`);
        }),
      );
  };
