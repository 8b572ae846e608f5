import { join, resolve } from 'node:path';
import { type CommandParent, writeWhole } from '@access-admin/cli';
import { backUp } from '../database/back-up.ts';
import { sqlitePathOf } from '../database/sqlite-path.ts';
import type { ServerContext } from './context.ts';
import { outcomeWriter } from './outcome-writer.ts';
import { stampOf } from './stamp-of.ts';

interface Options {
  readonly to?: string;
  readonly overwrite: boolean;
  readonly metrics?: string;
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
      .option('--metrics <file>', 'writes when the backup began to a file for the textfile collector of node_exporter')
      .action(
        run(async ({ to, overwrite, metrics }: Options) => {
          const begun = context.now();
          const writeOutcome = outcomeWriter(parent);
          const database = sqlitePathOf(server);
          const file = resolve(server.folder, to ?? join('var/backups', `access-admin-${stampOf(begun)}.db`));
          const bytes = await backUp(database, file, { overwrite, ...context });
          const text = `access-admin: ${database} is backed up to ${file} (${bytes} bytes, verified).`;
          const code = await writeOutcome({ database, file, bytes }, text);
          if (metrics !== undefined)
            await writeWhole(resolve(server.folder, metrics), metricsOf(begun), {
              output: context.output,
              mode: 0o644,
            });
          return code;
        }),
      );
  };

const metricsOf = (begun: Date): string =>
  `# HELP access_admin_backup_time_seconds When the last good backup began, since 1970.
# TYPE access_admin_backup_time_seconds gauge
access_admin_backup_time_seconds ${Math.floor(begun.getTime() / 1000)}
`;
