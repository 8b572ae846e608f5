import type { CommandParent } from '@access-admin/cli';
import { readConfig } from './configuration.ts';
import type { ServerContext } from './context.ts';
import { openConfiguredStore } from './open-store.ts';
import { outcomeWriter } from './outcome-writer.ts';

/** `migrate`: the schema of this version, before the processes of this version start. */
export const addMigrate =
  (server: ServerContext) =>
  (parent: CommandParent): void => {
    const { program, run } = parent;
    program
      .command('migrate')
      .description(
        'give the database of DATABASE_URL the schema of this version, as the first process does at its start',
      )
      .action(
        run(async () => {
          const writeOutcome = outcomeWriter(parent);
          await using store = await openConfiguredStore(readConfig(server));
          const { engine, migrated } = store;
          const text = migrated.length === 0 ? 'has the schema of this version' : `is migrated: ${migrated.join(', ')}`;
          return writeOutcome({ engine, migrated }, `access-admin: the database (${engine}) ${text}.`);
        }),
      );
  };
