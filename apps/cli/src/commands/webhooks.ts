import { EXIT } from '../output/failure.ts';
import type { CommandParent } from './context.ts';
import { allOf, withService, writeFacts, writeRows } from './service.ts';

/** `webhooks`: receivers of events. */
export function addWebhooks(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { signal } = context;
  const group = program.command('webhooks').description('receivers of events');
  const command = (name: string, description: string) =>
    group.command(name).description(description).argument('<id>', 'the id of the webhook');
  group
    .command('list')
    .description('list webhooks')
    .action(
      run(
        withService(parent, async ({ client }) =>
          writeRows(parent, await allOf(client.webhooks.list({ signal })), {
            id: ({ id }) => id,
            name: ({ name }) => name,
            url: ({ url }) => url,
            types: ({ types }) => types.join(', '),
            enabled: ({ enabled }) => enabled,
          }),
        ),
      ),
    );
  group
    .command('create')
    .description('create a webhook; its secret is shown this once')
    .argument('<name>', 'its name')
    .argument('<address>', 'where events are sent')
    .option('--types <types...>', 'types of events, such as sod.violation.*', ['*'])
    .action(
      run(
        withService(parent, async ({ client }, name: string, url: string, { types }: { types: readonly string[] }) =>
          writeFacts(parent, await client.webhooks.create({ name, url, types }, { signal })),
        ),
      ),
    );
  command('get', 'show a webhook').action(
    run(
      withService(parent, async ({ client }, id: string) =>
        writeFacts(parent, await client.webhooks.get(id, { signal })),
      ),
    ),
  );
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    command(name, `${name} a webhook`).action(
      run(
        withService(parent, async ({ client }, id: string) => {
          const changed = await client.webhooks.patch(id, [{ op: 'replace', path: '/enabled', value: enabled }], {
            signal,
          });
          return writeFacts(parent, changed);
        }),
      ),
    );
  command('delete', 'delete a webhook and its deliveries').action(
    run(
      withService(parent, async ({ client }, id: string) => {
        await client.webhooks.delete(id, { signal });
        return EXIT.done;
      }),
    ),
  );
  command('rotate', 'give a webhook another secret, which is shown this once').action(
    run(
      withService(parent, async ({ client }, id: string) =>
        writeFacts(parent, await client.webhooks.rotateSecret(id, { signal })),
      ),
    ),
  );
  command('deliveries', 'list the deliveries of a webhook, the newest first')
    .option('--filters <filters>', 'such as: state eq "FAILED"')
    .action(
      run(
        withService(parent, async ({ client }, id: string, { filters }: { readonly filters?: string }) => {
          const deliveries = await allOf(client.webhooks.deliveries(id, { filters, signal }));
          return writeRows<(typeof deliveries)[number]>(parent, deliveries, {
            id: (delivery) => delivery.id,
            type: (delivery) => delivery.type,
            state: (delivery) => delivery.state,
            created: (delivery) => delivery.created,
          });
        }),
      ),
    );
  command('resend', 'deliver an event once more')
    .argument('<delivery>', 'the id of the delivery')
    .action(
      run(
        withService(parent, async ({ client }, id: string, delivery: string) =>
          writeFacts(parent, await client.webhooks.resend(id, delivery, { signal })),
        ),
      ),
    );
  command('test', 'send a test').action(
    run(
      withService(parent, async ({ client }, id: string) =>
        writeFacts(parent, await client.webhooks.test(id, { signal })),
      ),
    ),
  );
  command('replay', 'deliver the events after a sequence again')
    .argument('<sequence>', 'the sequence')
    .action(
      run(
        withService(parent, async ({ client }, id: string, after: string) =>
          writeFacts(parent, await client.webhooks.replay(id, after, { signal })),
        ),
      ),
    );
}
