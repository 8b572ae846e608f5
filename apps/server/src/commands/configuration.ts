import { type Config, parseConfig as parseApi } from '@access-admin/api';
import { calledWrongly } from '@access-admin/cli';
import { parseConfig as parseWorker } from '@access-admin/worker';
import type { ServerContext } from './context.ts';

/** The configuration of the environment, as the API reads it. Throws a `CommandFailure` that lists all faults. */
export function readConfig({ env }: Pick<ServerContext, 'env'>): Config {
  const parsed = parseApi(env);
  if (!parsed.ok) throw wrong(parsed.failure);
  return parsed.value;
}

/** Throws a `CommandFailure` that lists what is wrong with the configuration of API and worker, before one of them is started. */
export function refuseWrongConfig({ env }: Pick<ServerContext, 'env'>): void {
  const faults = faultsOf(env);
  if (faults.length > 0) throw wrong(faults);
}

/** What is wrong with the configuration of API and worker. What both read is named once. */
export function faultsOf(env: ServerContext['env']): readonly string[] {
  const faults = [parseApi(env), parseWorker(env)].flatMap((parsed) => (parsed.ok ? [] : parsed.failure));
  return [...new Set(faults)];
}

const wrong = (faults: readonly string[]) => calledWrongly(['The configuration is wrong:', ...faults].join('\n  '));
