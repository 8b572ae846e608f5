import { illegalInvitation, inviteAdministrator, system } from '@access-admin/api';
import { CommandFailure, type CommandParent, calledWrongly } from '@access-admin/cli';
import { readConfig } from './configuration.ts';
import type { ServerContext } from './context.ts';
import { openExistingStore } from './open-store.ts';
import { outcomeWriter } from './outcome-writer.ts';

interface Options {
  readonly name?: string;
  readonly email?: string;
  readonly tenant?: string;
}

/** What was done before the link, for a username. */
const DID = {
  CREATED: (uid: string) => `${uid} is an administrator (ORG_ADMIN) now.`,
  PROMOTED: (uid: string) => `${uid} was there, and is an administrator (ORG_ADMIN) now.`,
  NOTHING: (uid: string) => `${uid} was an administrator (ORG_ADMIN) already.`,
} as const;

/** `invite`: an administrator, and the link that signs it in. */
export const addInvite =
  (server: ServerContext) =>
  (parent: CommandParent): void => {
    const { program, run } = parent;
    program
      .command('invite')
      .description('make an administrator of a username, and print a link that signs it in once; acts on the database')
      .argument('<uid>', 'the username')
      .option('--name <name>', 'the name that is shown; the username if left out')
      .option('--email <address>', 'the email address')
      .option('--tenant <name>', 'its tenant (TENANT)')
      .action(
        run(async (uid: string, { tenant: given, ...person }: Options) => {
          const writeOutcome = outcomeWriter(parent);
          if (given === '') throw calledWrongly('--tenant must not be empty.');
          const env = given === undefined ? server.env : { ...server.env, TENANT: given };
          const config = readConfig({ ...server, env });
          const { tenant, baseAddress } = config;
          const { tenant: own } = readConfig(server);
          if (!baseAddress.includes('{tenant}') && tenant !== own)
            throw calledWrongly(
              `--tenant ${tenant}: the pages at ${baseAddress} are of the tenant ${own}, and no link leads to another one. Set BASE_ADDRESS and TENANT as the API has them; several tenants need {tenant} in BASE_ADDRESS.`,
            );
          const illegal = illegalInvitation({ tenant, uid, ...person });
          if (illegal !== null) throw calledWrongly(illegal);
          await using store = await openExistingStore(server, config);
          const invitation = await inviteAdministrator({ ...system, store, baseAddress }, { tenant, uid, ...person });
          if (!invitation.ok) throw new CommandFailure(invitation.failure);
          const { identityId, did, url, expires } = invitation.value;
          return writeOutcome(
            { identityId, url, expires },
            `${DID[did](uid)} The link works once, until ${expires}:\n\n  ${url}\n`,
          );
        }),
      );
  };
