import { setTimeout } from 'node:timers/promises';
import { requestTenantRemoval, system } from '@access-admin/api';
import {
  CommandFailure,
  type CommandParent,
  confirmedTenant,
  deleteTenantOfService,
  EXIT,
  type ExitCode,
  namesService,
  type TenantDeletionOptions,
} from '@access-admin/cli';
import { removeTenant, type Store, TENANT_REMOVAL_LEASE_MS } from '@access-admin/store';
import { readConfig } from './configuration.ts';
import type { ServerContext } from './context.ts';
import { openExistingStore } from './open-store.ts';

const LOOK_EVERY_MS = 250;

/** `tenants delete` on the database, where neither options nor environment name a service. */
export const addTenantsDelete =
  (server: ServerContext) =>
  (parent: CommandParent): void => {
    const group = parent.program.commands.find((command) => command.name() === 'tenants');
    group?.commands
      .find((command) => command.name() === 'delete')
      ?.description(
        'remove a tenant with all that it has, its audit log too; this cannot be undone. Without --url and --profile it acts on the database (DATABASE_URL)',
      )
      .action(
        parent.run(async (given: string | undefined, options: TenantDeletionOptions) => {
          const tenant = confirmedTenant(given, options);
          return namesService(parent)
            ? deleteTenantOfService(parent, tenant)
            : deleteFromDatabase(server, parent, tenant);
        }),
      );
  };

async function deleteFromDatabase(
  server: ServerContext,
  { context }: CommandParent,
  tenant: string,
): Promise<ExitCode> {
  const { output, signal } = context;
  const config = readConfig(server);
  await using store = await openExistingStore(server, config);
  const { now, elapsed, newTrackingId } = system;
  const { baseAddress } = config;
  const requested = await requestTenantRemoval(
    { store, baseAddress, now, elapsed, newTrackingId },
    { tenant, own: config.tenant },
  );
  if (!requested.ok) throw new CommandFailure(requested.failure);
  if (!(await carryOut(store, tenant, context))) {
    output.note(`A worker, or this command once more, goes on with the removal of ${tenant}.`);
    signal.throwIfAborted();
  }
  output.note(`${tenant} is removed, and its name is free. The audit log of ${config.tenant} has the end of its log.`);
  return EXIT.done;
}

/** Removes the tenant here, or waits for the worker that does; false where the user stops it. */
async function carryOut(
  { tenants, tenantRemovals: removals }: Store,
  tenant: string,
  { output, signal, now }: Pick<CommandParent['context'], 'output' | 'signal' | 'now'>,
): Promise<boolean> {
  const nowMs = () => now().getTime();
  const progress = output.progress(`Removing ${tenant}`, 'records');
  const deps = { removals, now: nowMs, wait };
  try {
    while (!signal.aborted) {
      const [claim] = await removals.claim({ nowMs: nowMs(), leaseMs: TENANT_REMOVAL_LEASE_MS, limit: 1, tenant });
      if (claim !== undefined && (await removeTenant(claim, deps, signal))) return true;
      const found = await tenants.find(tenant);
      if (found === null) return true;
      progress.update(found.removal?.removed ?? 0, null);
      await wait(LOOK_EVERY_MS, signal);
    }
    return false;
  } finally {
    progress.end();
  }
}

const wait = (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal }).catch(() => {});
