import type { OAuthClient, Scope } from '@access-admin/client';
import { calledWrongly, EXIT } from '../output/failure.ts';
import type { CommandParent } from './context.ts';
import { allOf, withService, writeFacts, writeRows } from './service.ts';

interface NewOptions {
  readonly scopes: readonly string[];
  readonly identity?: string;
  readonly tenant?: string;
}

/** `clients`: programs that may call the service. */
export function addClients(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { signal } = context;
  const group = program.command('clients').description('programs that may call the service');
  group
    .command('list')
    .description('list clients')
    .action(
      run(
        withService(parent, async ({ client }) =>
          writeRows<OAuthClient>(parent, await allOf(client.oauthClients.list({ signal })), {
            id: ({ id }) => id,
            name: ({ name }) => name,
            identity: ({ identityId }) => identityId,
            scopes: ({ scopes }) => scopes.join(' '),
          }),
        ),
      ),
    );
  group
    .command('create')
    .description('create a client; its secret is shown this once')
    .argument('<name>', 'its name')
    .requiredOption('--scopes <scopes...>', 'what it may do')
    .option('--identity <id>', 'makes it act as this identity')
    .option('--tenant <name>', 'another tenant, which is created where it is missing')
    .action(
      run(
        withService(parent, async ({ client }, name: string, { scopes, identity, tenant }: NewOptions) => {
          const fresh = {
            name,
            // biome-ignore lint/plugin/type-assertion: The service knows its scopes and refuses other texts.
            scopes: scopes.flatMap((each) => each.split(',')) as Scope[],
            ...(identity === undefined ? {} : { identityId: identity }),
            ...(tenant === undefined ? {} : { tenant }),
          };
          return writeFacts(parent, await client.oauthClients.create(fresh, { signal }));
        }),
      ),
    );
  group
    .command('rotate')
    .description('give a client another secret, which is shown this once')
    .argument('<id>', 'the id of the client')
    .option('--overlap-hours <number>', 'how long the old one still works: 0 to 168; 24 if left out')
    .action(
      run(
        withService(parent, async ({ client }, id: string, { overlapHours }: { readonly overlapHours?: string }) => {
          const hours = overlapHours === undefined ? undefined : Number(overlapHours);
          if (hours !== undefined && !Number.isInteger(hours))
            throw calledWrongly('--overlap-hours: must be a whole number');
          const rotation = hours === undefined ? {} : { overlapHours: hours };
          return writeFacts(parent, await client.oauthClients.rotateSecret(id, rotation, { signal }));
        }),
      ),
    );
  group
    .command('delete')
    .description('delete a client; its tokens stop working within a second')
    .argument('<id>', 'the id of the client')
    .action(
      run(
        withService(parent, async ({ client }, id: string) => {
          await client.oauthClients.delete(id, { signal });
          return EXIT.done;
        }),
      ),
    );
}
