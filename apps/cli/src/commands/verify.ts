import { existsSync } from 'node:fs';
import {
  type AuditEvent,
  type AuditLogEnd,
  type PublicKeys,
  VerificationError,
  verifyAuditEvents,
  verifyAuditHead,
  verifyReceipt,
} from '@access-admin/client';
import { readLines } from '../files/read-lines.ts';
import { readCheck, readCheckRequest, readSignedHead } from '../files/read-signed.ts';
import { jsonErrorPlace, readJson, readText, reasonOf } from '../files/read-text.ts';
import { verifyBackup } from '../files/verify-backup.ts';
import { counted } from '../output/counted.ts';
import { line } from '../output/escape.ts';
import { CommandFailure, calledWrongly, EXIT, type ExitCode } from '../output/failure.ts';
import { type CommandParent, formatOf, RESULT_FORMATS } from './context.ts';

interface AuditOptions {
  readonly head?: string;
  readonly jwks?: string;
}

interface ReceiptOptions {
  readonly jwks?: string;
  readonly check?: string;
  readonly request?: string;
}

const KEYS = 'the keys of the service (/.well-known/jwks.json): a file, or an address';
const FETCH_MS = 30_000;

/** `verify`: files that the service has signed, without the service. */
export function addVerify(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { output, signal, blocking } = context;
  const group = program.command('verify').description('verify what the service has written, without the service');
  group
    .command('audit')
    .description('verify an export of the audit log: every event is as recorded, and none is missing')
    .argument('<file>', 'the export (NDJSON)')
    .option('--head <file>', 'a signed head of the log, to find a removed end or a log that was rewritten')
    .option('--jwks <keys>', KEYS)
    .action(
      run(async (file: string, { head, jwks }: AuditOptions): Promise<ExitCode> => {
        if ((head === undefined) !== (jwks === undefined)) throw calledWrongly('--head and --jwks go together');
        const heads = head === undefined || jwks === undefined ? [] : [await readHead(head, await readKeys(jwks))];
        const { sequence, fault, erased } = await verifyAuditEvents(eventsOf(file), { heads });
        if (formatOf(parent, RESULT_FORMATS) === 'json')
          await output.write(`${JSON.stringify({ sequence, fault, erased })}\n`);
        else if (fault === null)
          await output.show(
            `${counted(sequence, 'event')}, ${erased === 0 ? '' : `${erased} of them without the texts of erased persons, `}${heads.length > 0 ? `all${erased === 0 ? '' : ' others'} as they were recorded` : 'an unbroken chain; without --head and --jwks neither a removed end nor a rewritten log is found'}\n`,
          );
        else await output.show(line`The log is broken at sequence ${fault.sequence}: ${fault.reason}.\n`);
        return fault === null ? EXIT.done : EXIT.failed;
      }),
    );
  group
    .command('receipt')
    .description('verify the receipt of a check')
    .argument('<file>', 'the receipt: a file, - for standard input, or the text itself')
    .requiredOption('--jwks <keys>', KEYS)
    .option('--check <file>', 'the saved answer of the check, whose receipt it must be')
    .option('--request <file>', 'the body that started the check')
    .action(
      run(async (file: string, { jwks = '', check, request }: ReceiptOptions): Promise<ExitCode> => {
        const text =
          /^[\w-]+\.[\w-]+\.[\w-]+$/.test(file) && !existsSync(file) ? file : await blocking(() => readText(file));
        const shown = check === undefined ? {} : await blocking(() => readCheck(check));
        const asked = request === undefined ? shown.request : await blocking(() => readCheckRequest(request));
        try {
          const said = await verifyReceipt(text.trim(), {
            jwks: await readKeys(jwks),
            check: shown.check,
            request: asked,
          });
          await output.write(`${JSON.stringify(said, null, 2)}\n`);
          return EXIT.done;
        } catch (error) {
          if (error instanceof VerificationError)
            throw new CommandFailure(`not valid, ${error.reason}: ${error.message}`);
          throw error;
        }
      }),
    );
  group
    .command('backup')
    .description('verify a backup of a SQLite database')
    .argument('<file>', 'the backup')
    .action(
      run(async (file: string): Promise<ExitCode> => {
        const facts = await verifyBackup(file, signal);
        if (formatOf(parent, RESULT_FORMATS) === 'json') await output.write(`${JSON.stringify(facts)}\n`);
        else await output.show(line`${file} is a whole database: ${facts.tables} tables, ${facts.pages} pages\n`);
        return EXIT.done;
      }),
    );

  async function* eventsOf(file: string): AsyncGenerator<AuditEvent> {
    for await (const { lines, first } of readLines(file, signal))
      for (const [index, line] of lines.entries()) {
        if (line.trim() === '') continue;
        try {
          yield JSON.parse(line);
        } catch (error) {
          const [, column] = jsonErrorPlace(line, error).split(':');
          throw new CommandFailure(`${file}:${first + index}:${column}: not JSON: ${reasonOf(error)}`);
        }
      }
  }

  async function readHead(file: string, jwks: PublicKeys): Promise<AuditLogEnd> {
    try {
      return await verifyAuditHead(await blocking(() => readSignedHead(file)), { jwks });
    } catch (error) {
      if (error instanceof VerificationError)
        throw new CommandFailure(`${file}: not valid, ${error.reason}: ${error.message}`);
      throw error;
    }
  }

  async function readKeys(place: string): Promise<PublicKeys> {
    const read = /^https?:\/\//i.test(place) ? await fetchJson(place) : await blocking(() => readJson(place));
    const { keys } = Object(read);
    if (!Array.isArray(keys)) throw new CommandFailure(`${place}: there is no key set`);
    return { keys };
  }

  async function fetchJson(url: string): Promise<unknown> {
    try {
      const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]) });
      if (!response.ok) throw new Error(`it answers ${response.status}`);
      return await response.json();
    } catch (error) {
      throw new CommandFailure(`${url}: ${reasonOf(Object(error).cause ?? error)}`);
    }
  }
}
