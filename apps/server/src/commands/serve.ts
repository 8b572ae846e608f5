import type { CommandParent } from '@access-admin/cli';
import { serve } from '../start/serve.ts';
import type { ServerContext } from './context.ts';

/** `serve`: API and worker in one process tree. `isDefault` makes it what runs without a command. */
export const addServe =
  (server: ServerContext, { isDefault }: { readonly isDefault: boolean }) =>
  ({ program, context, run }: CommandParent): void => {
    program
      .command('serve', { isDefault })
      .description('run API, worker and console, with the sample in an empty store')
      .option('--no-sample', 'leave an empty store empty (SAMPLE=off)')
      .action(
        run(({ sample }: { readonly sample: boolean }) =>
          serve({ ...server, ...context, hasSample: sample && server.env['SAMPLE'] !== 'off' }),
        ),
      );
  };
