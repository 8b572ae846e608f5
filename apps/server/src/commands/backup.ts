import { join, resolve } from 'node:path';
import type { CommandParent } from '@access-admin/cli';
import { backUp } from '../database/back-up.ts';
import { sqlitePathOf } from '../database/sqlite-path.ts';
import type { ServerContext } from './context.ts';
import { outcomeWriter } from './outcome-writer.ts';
import { stampOf } from './stamp-of.ts';

interface Options {
  readonly to?: string;
  readonly overwrite: boolean;
}

/** `backup`: a copy of the SQLite database, while the service runs. */
export const addBackup =
  (server: ServerContext) =>
  (parent: CommandParent): void => {
    const { program, context, run } = parent;
    program
      .command('backup')
      .description('copy the SQLite database of DATABASE_URL to a file, while the service runs')
      .option('--to <file>', 'the file; one in var/backups if left out')
      .option('--overwrite', 'replaces the file where it exists', false)
      .action(
        run(async ({ to, overwrite }: Options) => {
          const writeOutcome = outcomeWriter(parent);
          const database = sqlitePathOf(server);
          const file = resolve(server.folder, to ?? join('var/backups', `access-admin-${stampOf(context.now())}.db`));
          const bytes = await backUp(database, file, { overwrite, ...context });
          const text = `access-admin: ${database} is backed up to ${file} (${bytes} bytes, verified).`;
          return writeOutcome({ database, file, bytes }, text);
        }),
      );
  };
