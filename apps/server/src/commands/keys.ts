import { rotateSigningKey, system } from '@access-admin/api';
import { CommandFailure, type CommandParent, writeRows } from '@access-admin/cli';
import { readConfig } from './configuration.ts';
import type { ServerContext } from './context.ts';
import { openExistingStore } from './open-store.ts';
import { outcomeWriter } from './outcome-writer.ts';

/** A key in the list. */
interface KeyRow {
  readonly kid: string;
  readonly issuer: string;
  readonly created: string;
  readonly retired?: string;
  readonly tokensEnd?: string;
}

/** `keys`: what signs tokens, receipts and heads of the audit log. */
export const addKeys =
  (server: ServerContext) =>
  (parent: CommandParent): void => {
    const { program, context, run } = parent;
    const group = program.command('keys').description('the keys that sign tokens, receipts and heads of the audit log');
    group
      .command('list')
      .description('list the keys of the database, with those that were retired')
      .action(
        run(async () => {
          await using store = await openExistingStore(server, readConfig(server));
          const { signingKeys } = store;
          const retired = await signingKeys.listRetired();
          const rows: readonly KeyRow[] = [
            // Nothing of the private key.
            ...(await signingKeys.list()).map(({ kid, issuer, created }) => ({ kid, issuer, created })),
            ...retired.map(({ publicJwk: _, ...key }) => key),
          ];
          return writeRows(parent, rows, {
            key: ({ kid }) => kid,
            address: ({ issuer }) => issuer,
            since: ({ created }) => created,
            retired: (row) => row.retired,
            'tokens until': ({ retired: from = '', tokensEnd: until = '' }) => (until < from ? 'none' : until),
          });
        }),
      );
    group
      .command('rotate')
      .description('sign with a new key; the old one verifies tokens for 15 more minutes, and receipts for good')
      .option(
        '--compromised',
        'tokens of the old key, and of all that were retired earlier, end within a second',
        false,
      )
      .action(
        run(async ({ compromised }: { readonly compromised: boolean }) => {
          const writeOutcome = outcomeWriter(parent);
          const config = readConfig(server);
          const { baseAddress } = config;
          await using store = await openExistingStore(server, config);
          const { tenant } = config;
          const { newTrackingId } = system;
          const deps = { store: store.signingKeys, now: context.now, tenant, newTrackingId };
          const rotated = await rotateSigningKey(deps, baseAddress, { isCompromised: compromised });
          if (rotated === null)
            throw new CommandFailure(`No key signs for ${baseAddress}: set BASE_ADDRESS as the API has it.`);
          const { next, retired } = rotated;
          const tokens = compromised
            ? 'no token, nor does any key that was retired earlier'
            : `tokens until ${retired.tokensEnd}`;
          return writeOutcome(
            { address: baseAddress, kid: next.kid, retired: retired.kid, tokensEnd: retired.tokensEnd },
            `access-admin: ${next.kid} signs for ${baseAddress} now; ${retired.kid} is retired and verifies ${tokens}.`,
          );
        }),
      );
  };
