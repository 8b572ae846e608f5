import { existsSync, statSync } from 'node:fs';
import { ApiError, TokenError } from '@access-admin/client';
import { counted } from '../output/counted.ts';
import { CommandFailure, EXIT, type ExitCode } from '../output/failure.ts';
import { formatTable } from '../output/table.ts';
import { type CommandParent, formatOf, globalsOf, RESULT_FORMATS } from './context.ts';
import { describedFailure, openService } from './service.ts';

/** One line of an examination; its text says what to do unless all is well. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'failure';
  readonly text: string;
}

/** What a program examines beside the service. */
export interface Examination {
  /** Its options: flags and descriptions. */
  readonly options: readonly (readonly [flags: string, description: string])[];
  readonly examine: (options: Readonly<Record<string, string | undefined>>) => AsyncIterable<Finding>;
}

const CLOCK_WARNING_MS = 5_000;
const CLOCK_FAILURE_MS = 60_000;
const ANSWER_MS = 10_000;

/** `doctor`: whether the command and the service can work together, and what to do where they cannot. */
export function addDoctor(parent: CommandParent, further: Examination | null): void {
  const { program, context, run } = parent;
  const { output, signal, now, environment } = context;
  const command = program
    .command('doctor')
    .description(
      further === null
        ? 'examine the configuration and the service, as far as a client can see it'
        : 'examine the configuration, the service as far as a client can see it, and the database of DATABASE_URL',
    );
  for (const [flags, description] of further?.options ?? []) command.option(flags, description);
  command.action(
    run(async (options: Readonly<Record<string, string | undefined>>): Promise<ExitCode> => {
      const format = formatOf(parent, RESULT_FORMATS);
      const findings: Finding[] = [];
      for await (const finding of examineAll(options)) findings.push(finding);
      const counts = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
      if (format === 'json') await output.write(`${JSON.stringify({ findings })}\n`);
      else {
        const style = { ok: 'green', warning: 'yellow', failure: 'red' } as const;
        const rows = findings.map(({ what, state, text }) => [output.style(style[state], state), what, text]);
        await output.show(
          `${formatTable(rows)}${counted(counts('failure'), 'failure')}, ${counted(counts('warning'), 'warning')}\n`,
        );
      }
      return counts('failure') > 0 ? EXIT.failed : EXIT.done;
    }),
  );

  async function* examineAll(options: Readonly<Record<string, string | undefined>>): AsyncGenerator<Finding> {
    if (further === null) return yield* examine();
    try {
      yield* examine();
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      // The database can be examined without a client.
      yield { what: 'service', state: 'warning', text: `not examined: ${error.message}` };
    }
    yield* further.examine(options);
  }

  async function* examine(): AsyncGenerator<Finding> {
    const service = openService(parent);
    yield { what: 'configuration', state: 'ok', text: `${service.url}, client ${service.clientId}` };
    const { configPath } = environment;
    if (globalsOf(parent).profile !== undefined && existsSync(configPath) && (statSync(configPath).mode & 0o077) !== 0)
      yield { what: 'profiles', state: 'warning', text: `others can read ${configPath}: chmod 600 ${configPath}` };
    const url = new URL(service.url);
    const isLoopback = /^(localhost|127\.|\[::1\])/.test(url.hostname);
    if (url.protocol === 'https:') yield { what: 'TLS', state: 'ok', text: 'the address is https' };
    else if (isLoopback) yield { what: 'TLS', state: 'ok', text: 'plain http on this machine' };
    else yield { what: 'TLS', state: 'failure', text: 'secrets are sent without encryption: use an https address' };
    const before = now().getTime();
    const answer = await read('/healthz');
    if (typeof answer === 'string') {
      yield {
        what: 'service',
        state: 'failure',
        text: `not reached: ${answer}; is it running, and is this its address?`,
      };
      return;
    }
    yield { what: 'service', state: answer.ok ? 'ok' : 'failure', text: `answers ${answer.status}` };
    yield clockOf(answer.headers.get('date'), (before + now().getTime()) / 2);
    const ready = await read('/readyz');
    if (typeof ready !== 'string' && ready.ok)
      yield { what: 'storage and schema', state: 'ok', text: 'reachable, and of this version' };
    else
      yield {
        what: 'storage and schema',
        state: 'failure',
        text: 'the service is not ready: its log says whether the database is away or of another version',
      };
    yield* examineClient();

    async function* examineClient(): AsyncGenerator<Finding> {
      const { client, clientId, url: address } = service;
      try {
        const own = await client.oauthClients.get(clientId, { signal });
        yield { what: 'client', state: 'ok', text: `${own.name}: ${own.scopes.join(' ')}` };
      } catch (error) {
        if (error instanceof TokenError) {
          yield { what: 'client', state: 'failure', text: String(Object(describedFailure(error, address)).message) };
          return;
        }
        if (!(error instanceof ApiError)) throw error;
        yield { what: 'client', state: 'ok', text: 'gets a token; it may not read clients' };
      }
      try {
        const { asOf } = await client.violations.page({ limit: 1, signal });
        const behindMs = asOf === null ? null : now().getTime() - Date.parse(asOf);
        if (behindMs === null)
          yield {
            what: 'worker',
            state: 'warning',
            text: 'the register of violations was never filled: is a worker running?',
          };
        else if (behindMs > REGISTER_BEHIND_MS)
          yield {
            what: 'worker',
            state: 'warning',
            text: `the register of violations is of ${asOf}: is a worker running?`,
          };
        else yield { what: 'worker', state: 'ok', text: `the register of violations is of ${asOf}` };
        let waiting = 0;
        for await (const { created } of client.sodViolations.listChecks({ filters: 'state eq "PENDING"', signal }))
          if (now().getTime() - Date.parse(created) > CHECK_WAITS_MS) waiting++;
        if (waiting === 0) yield { what: 'backlog', state: 'ok', text: 'no check has waited for a minute' };
        else
          yield {
            what: 'backlog',
            state: 'warning',
            text: `${waiting} checks have waited for a minute: start more workers`,
          };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        yield { what: 'worker', state: 'warning', text: `not examined: ${error.message}` };
      }
    }

    async function read(path: string): Promise<Response | string> {
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
        const response = await fetch(service.url.replace(/\/+$/, '') + path, { signal: limit, redirect: 'manual' });
        await response.arrayBuffer();
        return response;
      } catch (error) {
        if (!(error instanceof Error)) return 'no answer';
        const cause = error.cause instanceof Error ? error.cause.message : '';
        return cause || error.message || 'no answer';
      }
    }
  }
}

const REGISTER_BEHIND_MS = 24 * 3_600_000;
const CHECK_WAITS_MS = 60_000;

function clockOf(date: string | null, hereMs: number): Finding {
  if (date === null) return { what: 'clock', state: 'warning', text: 'the service does not tell the time' };
  // The header has whole seconds.
  const differenceMs = Math.abs(Date.parse(date) + 500 - hereMs);
  const text = `${Math.round(differenceMs / 1000)} s from that of the service`;
  if (differenceMs > CLOCK_FAILURE_MS) return { what: 'clock', state: 'failure', text: `${text}: set both by NTP` };
  if (differenceMs > CLOCK_WARNING_MS) return { what: 'clock', state: 'warning', text: `${text}: set both by NTP` };
  return { what: 'clock', state: 'ok', text };
}
