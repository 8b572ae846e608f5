import { AccessAdminError, ApiError, ConnectionError, TokenError } from '@access-admin/client';
import { CommandFailure, EXIT, type ExitCode } from '../output/failure.ts';
import { formatTable } from '../output/table.ts';
import { type Connection, connect } from '../service/connect.ts';
import { type CommandParent, formatOf, globalsOf, RESULT_FORMATS } from './context.ts';

/** The service that a command calls. */
export function openService(parent: CommandParent): Connection {
  const { url, clientId, clientSecret, configPath } = parent.context.environment;
  return connect({ options: globalsOf(parent), environment: { url, clientId, clientSecret }, configPath });
}

/** Whether the options or the environment say which service is called. */
export function namesService(parent: CommandParent): boolean {
  const { url, profile } = globalsOf(parent);
  return [url, profile, parent.context.environment.url].some((given) => given !== undefined && given !== '');
}

/** Runs an action with the service. Errors of the service become `CommandFailure`s that say what to do. */
export const withService =
  <A extends readonly unknown[]>(
    parent: CommandParent,
    action: (service: Connection, ...args: A) => Promise<ExitCode>,
  ) =>
  async (...args: A): Promise<ExitCode> => {
    const service = openService(parent);
    try {
      return await action(service, ...args);
    } catch (error) {
      throw describedFailure(error, service.url);
    }
  };

/** An error of the service as a `CommandFailure`; any other as it is. */
export function describedFailure(error: unknown, url: string): unknown {
  if (error instanceof CommandFailure || !(error instanceof AccessAdminError)) return error;
  if (error instanceof TokenError && (error.cause === undefined || error.code === 'invalid_client'))
    return new CommandFailure(`${url}: ${error.message}\nIs this the right client, with its present secret?`);
  const cause = error instanceof TokenError ? error.cause : error;
  if (cause instanceof ConnectionError)
    return new CommandFailure(
      `${url} was not reached: ${reasonOfConnection(cause)}\nIs the service running, and is this its address?`,
    );
  if (cause instanceof ApiError && cause.status === 403)
    return new CommandFailure(
      `${cause.message}\nThe client lacks a right; \`access-admin clients list\` shows its scopes.`,
    );
  return new CommandFailure(error.message);
}

function reasonOfConnection(error: ConnectionError): string {
  let reason = error.message;
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) reason = cause.message || reason;
  return reason;
}

/** Writes a result: as a table of some columns for people, or as JSON. */
export async function writeRows<T>(
  parent: CommandParent,
  rows: readonly T[],
  columns: Readonly<Record<string, (row: T) => unknown>>,
): Promise<ExitCode> {
  const { output } = parent.context;
  if (formatOf(parent, RESULT_FORMATS) === 'json') await output.write(`${JSON.stringify(rows)}\n`);
  else {
    const cells = rows.map((row) => Object.values(columns).map((cellOf) => String(cellOf(row) ?? '')));
    const head = Object.keys(columns).map((name) => output.style('bold', name));
    await output.show(rows.length === 0 ? '' : formatTable([head, ...cells]));
    if (rows.length === 0) output.note('none');
  }
  return EXIT.done;
}

/** Writes one result: as lines of names and values for people, or as JSON. */
export async function writeFacts(
  parent: CommandParent,
  value: object,
  facts: readonly (readonly [name: string, value: unknown])[] = Object.entries(value),
): Promise<ExitCode> {
  const { output } = parent.context;
  if (formatOf(parent, RESULT_FORMATS) === 'json') await output.write(`${JSON.stringify(value)}\n`);
  else {
    const text = (fact: unknown) =>
      typeof fact === 'object' && fact !== null ? JSON.stringify(fact) : String(fact ?? '');
    await output.show(formatTable(facts.map(([name, fact]) => [output.style('bold', name), text(fact)])));
  }
  return EXIT.done;
}

/** Reads all of a list. */
export async function allOf<T>(items: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
  const all: T[] = [];
  if (limit <= 0) return all;
  for await (const item of items) {
    all.push(item);
    if (all.length >= limit) break;
  }
  return all;
}
