import { createSecrets, resetBootstrapClient, system } from '@access-admin/api';
import {
  CommandFailure,
  type CommandParent,
  calledWrongly,
  EXIT,
  formatOf,
  RESULT_FORMATS,
  writeFacts,
} from '@access-admin/cli';
import { replaceKeptSecret } from '../start/kept-clients.ts';
import { readConfig } from './configuration.ts';
import type { ServerContext } from './context.ts';
import { openExistingStore } from './open-store.ts';

interface Options {
  readonly id?: string | undefined;
  readonly tenant?: string | undefined;
}

/** `clients reset`, beside the commands on clients that call the service. */
export const addClientsReset =
  (server: ServerContext) =>
  (parent: CommandParent): void => {
    const { program, context, run } = parent;
    const group = program.commands.find((command) => command.name() === 'clients') ?? program.command('clients');
    group
      .command('reset')
      .description('give the bootstrap client a new secret, shown this once; it is made where it is missing')
      .option('--id <id>', 'which one, where the tenant has several (BOOTSTRAP_CLIENT_ID)')
      .option('--tenant <name>', 'its tenant (TENANT)')
      .action(
        run(async ({ id, tenant }: Options) => {
          formatOf(parent, RESULT_FORMATS);
          const config = readConfig({ ...server, env: { ...server.env, ...variablesOf({ id, tenant }) } });
          await using store = await openExistingStore(server, config);
          const { now, elapsed, newId, newSecret, newTrackingId } = system;
          const reset = await resetBootstrapClient(
            { clients: store.clients, secrets: createSecrets({ elapsed }), now, newId, newSecret, newTrackingId },
            { tenant: config.tenant, clientId: config.bootstrapClientId },
          );
          if (!reset.ok) throw new CommandFailure(reset.failure);
          const { isCreated, ...credentials } = reset.value;
          await writeFacts(parent, credentials);
          const { output } = context;
          output.note(isCreated ? 'The client was missing and is made.' : 'The old secret and its tokens have ended.');
          const kept = replaceKeptSecret(server.folder, credentials);
          if (kept !== null) output.note(`The new secret is in ${kept} too.`);
          if (config.bootstrapClientSecret !== null)
            output.note('BOOTSTRAP_CLIENT_SECRET is set: an API that starts with it makes it the secret again.');
          return EXIT.done;
        }),
      );
  };

/** The options as the variables whose place they take, so that the rules of these apply. */
function variablesOf({ id, tenant }: Options): Readonly<Record<string, string>> {
  // An empty variable counts as left out: another client than the one that was meant would be reset.
  for (const [option, value] of Object.entries({ id, tenant }))
    if (value === '') throw calledWrongly(`--${option} must not be empty.`);
  return {
    ...(id === undefined ? {} : { BOOTSTRAP_CLIENT_ID: id }),
    ...(tenant === undefined ? {} : { TENANT: tenant }),
  };
}
