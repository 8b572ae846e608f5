import type { SodException } from '@access-admin/client';
import type { CommandParent } from './context.ts';
import { allOf, withService, writeFacts, writeRows } from './service.ts';

/** `exceptions`: accepted violations. */
export function addExceptions(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { signal } = context;
  const group = program.command('exceptions').description('exceptions from policies');
  group
    .command('list')
    .description('list exceptions')
    .option('--filters <filters>', 'such as: state eq "REQUESTED"')
    .action(
      run(
        withService(parent, async ({ client }, { filters }: { readonly filters?: string }) =>
          writeRows<SodException>(parent, await allOf(client.sodExceptions.list({ filters, signal })), {
            id: ({ id }) => id,
            state: ({ state }) => state,
            policy: ({ policyId }) => policyId,
            identity: ({ identityId }) => identityId,
            start: ({ start }) => start,
            end: ({ end }) => end,
            justification: ({ justification }) => justification,
          }),
        ),
      ),
    );
  for (const [name, description] of [
    ['approve', 'approve an exception, of the terms that are shown now'],
    ['revoke', 'revoke an exception, or refuse a requested one'],
  ] as const)
    group
      .command(name)
      .description(description)
      .argument('<id>', 'the id of the exception')
      .option('--comment <text>', 'kept with the decision')
      .action(
        run(
          withService(parent, async ({ client }, id: string, { comment }: { readonly comment?: string }) => {
            const { etag } = await client.sodExceptions.get(id, { signal }).withETag();
            const options = { signal, ifMatch: etag, ...(comment === undefined ? {} : { comment }) };
            const decided = await client.sodExceptions[name](id, options);
            return writeFacts(parent, decided, [
              ['id', decided.id],
              ['state', decided.state],
              ['policy', decided.policyId],
              ['identity', decided.identityId],
              ['end', decided.end],
            ]);
          }),
        ),
      );
}
