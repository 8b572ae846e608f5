import { moveTenant, system } from '@access-admin/api';
import { CommandFailure, type CommandParent, calledWrongly, EXIT } from '@access-admin/cli';
import { openSecrets, openTenantMoves, parseDatabaseUrl, type Store } from '@access-admin/store';
import { readConfig } from './configuration.ts';
import type { ServerContext } from './context.ts';
import { notOpened, openConfiguredStore, openExistingStore } from './open-store.ts';

const TARGET = 'TARGET_DATABASE_URL';

/** `tenants move`, beside the commands on tenants that call the service. */
export const addTenantsMove =
  (server: ServerContext) =>
  ({ program, context, run }: CommandParent): void => {
    const group = program.commands.find((command) => command.name() === 'tenants');
    group
      ?.command('move')
      .description(
        `move a tenant with all that it has from one PostgreSQL database (DATABASE_URL) to another (${TARGET}). Let nobody reach it meanwhile`,
      )
      .argument('<tenant>', 'its name')
      .action(
        run(async (tenant: string) => {
          const config = readConfig(server);
          const { databaseUrl } = config;
          const target = server.env[TARGET] ?? '';
          for (const [name, url] of Object.entries({ DATABASE_URL: databaseUrl, [TARGET]: target }))
            if (!isPostgres(url)) throw calledWrongly(`${name} must be postgres://…: tenants move between PostgreSQL.`);
          if (target === databaseUrl) throw calledWrongly(`${TARGET} is the database that has the tenant.`);
          await using from = await openExistingStore(server, config);
          await using to = await openConfiguredStore({ databaseUrl: target });
          await verifySecretKey([from, to], config);
          await using given = await openMoves(databaseUrl);
          await using taken = await openMoves(target);
          const { now, elapsed, newTrackingId } = system;
          const moved = await moveTenant(
            {
              from: { give: given.give, signingKeys: from.signingKeys, tenants: from.tenants },
              to: { take: taken.take, tenants: to.tenants },
              baseAddress: config.baseAddress,
              now,
              elapsed,
              newTrackingId,
            },
            { tenant, own: config.tenant },
          );
          if (!moved.ok) throw new CommandFailure(moved.failure);
          context.output.note(
            `${tenant} is moved: send its requests to the processes of the other database. Workers remove what is left of it here.`,
          );
          return EXIT.done;
        }),
      );
  };

const isPostgres = (url: string): boolean => 'postgresUrl' in (parseDatabaseUrl(url) ?? {});

/** Opened after the stores, which say in other words why a database cannot be opened. */
async function openMoves(url: string) {
  try {
    return await openTenantMoves(url);
  } catch (error) {
    throw notOpened(url, error);
  }
}

type GivenKeys = Parameters<typeof openSecrets>[1]['given'];

/** Secrets move as they are encrypted: both databases must have the key of the environment, if the first has any. */
async function verifySecretKey([from, to]: readonly [Store, Store], given: GivenKeys): Promise<void> {
  if ((await from.secretKeys.readCheck()) === null) return;
  if (given.secretKey === null)
    throw new CommandFailure('The tenant may have secrets: set SECRET_KEY as the processes of both databases have it.');
  const log = { info: () => {}, error: () => {} };
  for (const [name, store] of Object.entries({ DATABASE_URL: from, [TARGET]: to })) {
    const opened = await openSecrets(store, { given, folder: 'var', now: system.now, log });
    if (!opened.ok) throw new CommandFailure(`${name}: ${opened.failure}`);
  }
}
