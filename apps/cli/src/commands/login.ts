import { ForbiddenError, NotFoundError } from '@access-admin/client';
import { calledWrongly, EXIT } from '../output/failure.ts';
import { readProfiles, writeProfiles } from '../service/profiles.ts';
import { type CommandParent, globalsOf } from './context.ts';
import { withService, writeRows } from './service.ts';

/** `login`, `logout` and `profiles`: services and clients that `--profile` names. */
export function addLogin(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { configPath } = context.environment;
  program
    .command('login')
    .description('save the service and the client that are given, after they were tried, as a profile')
    .argument('<name>', 'the name of the profile')
    .action(
      run(async (name: string) => {
        const { profile, ...options } = globalsOf(parent);
        if (profile !== undefined)
          throw calledWrongly('login takes the name of the profile as its argument, without --profile');
        const { url, clientId, clientSecret } = { ...context.environment, ...options };
        const saves = withService(parent, async ({ client, clientId: own }) => {
          await client.oauthClients.get(own, context).catch((error: unknown) => {
            // It may not read clients, but it has got a token.
            if (!(error instanceof ForbiddenError || error instanceof NotFoundError)) throw error;
          });
          await writeProfiles(
            configPath,
            { ...readProfiles(configPath), [name]: { url, clientId, clientSecret } },
            context.output,
          );
          context.output.note(`${name} is saved in ${configPath}: use it with --profile ${name}`);
          return EXIT.done;
        });
        return saves();
      }),
    );
  program
    .command('logout')
    .description('remove a profile')
    .argument('<name>', 'the name of the profile')
    .action(
      run(async (name: string) => {
        const { [name]: removed, ...others } = readProfiles(configPath);
        if (removed === undefined) throw calledWrongly(`there is no profile ${name} in ${configPath}`);
        await writeProfiles(configPath, others, context.output);
        return EXIT.done;
      }),
    );
  program
    .command('profiles')
    .description('list the saved profiles, without their secrets')
    .action(
      run(async () => {
        const rows = Object.entries(readProfiles(configPath)).map(([name, { url, clientId }]) => ({
          name,
          url,
          clientId,
        }));
        return writeRows(parent, rows, {
          name: ({ name }) => name,
          url: ({ url }) => url,
          client: ({ clientId }) => clientId,
        });
      }),
    );
}
