import { setTimeout } from 'node:timers/promises';
import { NotFoundError, type Tenant } from '@access-admin/client';
import { calledWrongly, EXIT, type ExitCode } from '../output/failure.ts';
import type { CommandParent } from './context.ts';
import { allOf, withService, writeRows } from './service.ts';

/** The options of `tenants delete`. */
export interface TenantDeletionOptions {
  readonly yes?: string;
}

const LOOK_EVERY_MS = 500;

/** `tenants`: the organizations that share the service. */
export function addTenants(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { signal } = context;
  const group = program.command('tenants').description('the tenants of the service');
  group
    .command('list')
    .description('list tenants')
    .action(
      run(
        withService(parent, async ({ client }) =>
          writeRows<Tenant>(parent, await allOf(client.tenants.list({ signal })), {
            tenant: ({ tenant }) => tenant,
            state: ({ state }) => state,
            created: ({ created }) => created,
            'removed rows': ({ removal }) => removal?.removedRows,
          }),
        ),
      ),
    );
  group
    .command('delete')
    .description('remove a tenant with all that it has, its audit log too; this cannot be undone')
    .argument('[tenant]', 'its name, which --yes repeats')
    .option('--yes <tenant>', 'confirms it: the name of the tenant')
    .action(
      run(async (given: string | undefined, options: TenantDeletionOptions) =>
        deleteTenantOfService(parent, confirmedTenant(given, options)),
      ),
    );
}

/** The tenant that is to be removed. Throws a `CommandFailure` unless `--yes` names it. */
export function confirmedTenant(given: string | undefined, { yes }: TenantDeletionOptions): string {
  if (yes === undefined || yes === '')
    throw calledWrongly(
      `Nothing is removed without a confirmation: give --yes ${given ?? '<tenant>'}. All that the tenant has is removed for good.`,
    );
  if (given !== undefined && given !== yes)
    throw calledWrongly(`--yes ${yes}: is another name than ${given}, and nothing is removed`);
  return yes;
}

/** Has the service remove a tenant, and waits until nothing is left of it. */
export const deleteTenantOfService = (parent: CommandParent, tenant: string): Promise<ExitCode> =>
  withService(parent, async ({ client }) => {
    const { signal, output } = parent.context;
    let { removal } = await client.tenants.delete(tenant, { confirm: tenant, signal });
    const progress = output.progress(`Removing ${tenant}`, 'records');
    try {
      while (removal !== null) {
        progress.update(removal.removedRows, null);
        await setTimeout(LOOK_EVERY_MS, undefined, { signal });
        removal = (await client.tenants.get(tenant, { signal })).removal;
      }
    } catch (error) {
      if (signal.aborted) output.note(`Workers go on with the removal of ${tenant}.`);
      if (!(error instanceof NotFoundError)) throw error;
    } finally {
      progress.end();
    }
    output.note(`${tenant} is removed, and its name is free.`);
    return EXIT.done;
  })();
