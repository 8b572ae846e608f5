import { CommandFailure, type CommandParent, calledWrongly } from '@access-admin/cli';
import { distributeStore } from '@access-admin/store';
import { readConfig } from './configuration.ts';
import type { ServerContext } from './context.ts';
import { notOpened } from './open-store.ts';
import { outcomeWriter } from './outcome-writer.ts';

const SHARDS_MAX = 1_024;

/** `distribute`: from one PostgreSQL server to the nodes of a Citus cluster, once, while the service is stopped. */
export const addDistribute =
  (server: ServerContext) =>
  (parent: CommandParent): void => {
    const { program, run } = parent;
    program
      .command('distribute')
      .description(
        'distribute the tenants of DATABASE_URL, the coordinator of a Citus cluster, over its nodes, once and while the service is stopped',
      )
      .option('--shards <number>', 'how many parts each table gets, which stays so; four a node if left out')
      .action(
        run(async ({ shards: given }: { readonly shards?: string }) => {
          const writeOutcome = outcomeWriter(parent);
          const shards = given === undefined ? undefined : shardsOf(given);
          const { databaseUrl } = readConfig(server);
          const distributed = await distributeStore(databaseUrl, { shards }).catch((error) => {
            throw notOpened(databaseUrl, error);
          });
          if (!distributed.ok) throw new CommandFailure(distributed.failure);
          const { nodes, shards: parts, tables, rows } = distributed.value;
          const text =
            tables.length === 0
              ? `The tenants are distributed already, in ${parts} shards on ${nodes} nodes.`
              : `access-admin: ${tables.length} tables with ${rows} rows are distributed, in ${parts} shards on ${nodes} nodes.`;
          return writeOutcome({ nodes, shards: parts, tables: tables.length, rows }, text);
        }),
      );
  };

function shardsOf(text: string): number {
  const shards = Number(text);
  if (!/^\d+$/.test(text) || shards < 1 || shards > SHARDS_MAX)
    throw calledWrongly(`--shards must be a number from 1 to ${SHARDS_MAX}.`);
  return shards;
}
