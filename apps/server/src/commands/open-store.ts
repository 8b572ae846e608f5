import { type Config, parseConfig } from '@access-admin/api';
import { CommandFailure, calledWrongly } from '@access-admin/cli';
import { openStore, type Store } from '@access-admin/store';
import type { ServerContext } from './context.ts';

/** The configuration of the environment, as the API reads it. Throws a `CommandFailure` that lists all faults. */
export function readConfig({ env }: ServerContext): Config {
  const parsed = parseConfig(env);
  if (!parsed.ok) throw calledWrongly(['The configuration is wrong:', ...parsed.failure].join('\n  '));
  return parsed.value;
}

/** Opens the store of the configuration, and migrates it. Throws a `CommandFailure` that says why it cannot be opened. */
export async function openConfiguredStore({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<Store> {
  try {
    return await openStore(databaseUrl);
  } catch (error) {
    const reason = error instanceof Error ? (error.cause ?? error.message) : error;
    throw new CommandFailure(`The store cannot be opened: ${String(reason)}`);
  }
}
