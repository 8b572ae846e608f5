import { setFlagsFromString } from 'node:v8';
import { isResourceId } from '@access-admin/domain';
import type { Conversion } from '../conversion/conversion.ts';
import type { ConvertedFiles } from '../conversion/convert.ts';
import { CONVERTERS, mappingOf } from '../conversion/convert.ts';
import type { CsvFiles } from '../conversion/csv.ts';
import { createIds } from '../conversion/ids.ts';
import type { Format } from '../conversion/kinds.ts';
import { createFaults } from '../conversion/report.ts';
import { convertSailPoint } from '../conversion/sailpoint.ts';
import type { SapFiles } from '../conversion/sap.ts';
import { createUses, type Uses } from '../conversion/uses.ts';
import { createModelWriter, withPrefix } from '../conversion/write-records.ts';
import { fileSize } from '../files/read-lines.ts';
import { openSink } from '../files/write-whole.ts';
import { counted } from '../output/counted.ts';
import { escapeControls } from '../output/escape.ts';
import { CommandFailure, calledWrongly, EXIT, type ExitCode } from '../output/failure.ts';
import type { Progress } from '../output/output.ts';
import { formatProblem } from '../output/problem.ts';
import { formatTable } from '../output/table.ts';
import type { CommandContext, CommandParent } from './context.ts';

/** Where a model is written to, and whether in spite of faults. */
export interface OutputOptions {
  readonly output?: string;
  readonly skipFaults?: boolean;
  readonly truncate?: boolean;
}

/** How files are read. */
export interface ReadingOptions {
  readonly map?: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly encoding?: string;
}

interface SourceOptions extends OutputOptions, ReadingOptions {
  readonly source?: string;
}

interface SapOptions extends OutputOptions, ReadingOptions, SapFiles {
  readonly system: string;
}

/** `convert`: files of other systems to a model, as `import` and `scan --local` take it. */
export function addConvert(parent: CommandParent): void {
  const { program, context, run } = parent;
  const group = program.command('convert').description('convert files of other systems to a model (NDJSON)');
  const command = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .option('-o, --output <file>', 'the file of the model; standard output if left out')
      .option('--skip-faults', 'write the model although some lines cannot be converted; each is named all the same')
      .option('--truncate', 'cut names and attributes that are longer than the service takes; each is named');
  const mapped = (name: string, description: string) =>
    command(name, description)
      .option('--map <file>', 'which columns or fields mean what (YAML): users: {id: Personnel no.}')
      .option('--prefix <text>', 'what the ids of entitlements, access profiles and roles begin with');
  const delimited = (name: string, description: string) =>
    mapped(name, description)
      .option('--delimiter <character>', 'found from the heading if left out; tab is a tab')
      .option('--encoding <name>', 'utf-8, latin1, utf-16le or utf-16be; found from the bytes if left out');
  const convert = async (
    format: Format,
    system: string | undefined,
    options: SourceOptions,
    files: ConvertedFiles,
  ): Promise<ExitCode> => {
    const prefix = prefixOf(options) ?? '';
    return convertFiles(context, options, files.given, ({ uses, writer, ...converting }) =>
      CONVERTERS[format].convert(files, {
        ...converting,
        uses,
        writer: withPrefix(writer, prefix),
        ...tableOptions(options),
        format,
        system: system ?? null,
        isLoad: false,
        mapping: mappingOf(format, options.map),
      }),
    );
  };
  for (const [format, description] of [
    ['csv', 'convert tables of people and what they hold'],
    ['xlsx', 'convert sheets of workbooks, as csv does tables'],
  ] as const)
    delimited(format, description)
      .option('--people <file>', 'people with what they hold: one or more rows a person')
      .option('--users <file>', 'the people, one a row')
      .option('--entitlements <file>', 'the entitlements, one a row')
      .option('--assignments <file>', 'who holds what: one a row')
      .option('--roles <file>', 'the entitlements of roles: of one role a row')
      .action(
        run(async ({ people, users, entitlements, assignments, roles, ...options }: SourceOptions & CsvFiles) => {
          const csv = { people, users, entitlements, assignments, roles };
          const isWhole = people !== undefined ? users === undefined && assignments === undefined : users !== undefined;
          if (!isWhole) throw calledWrongly('give --people, or --users with --entitlements and --assignments');
          return convert(format, undefined, options, { given: pathsOf(csv), csv });
        }),
      );
  delimited('sap', 'convert exports of SAP tables')
    .requiredOption('--agr-users <file>', 'AGR_USERS: roles of users')
    .requiredOption('--agr-1251 <file>', 'AGR_1251: authorizations of roles')
    .option('--agr-1252 <file>', 'AGR_1252: organizational levels of roles')
    .option('--agr-agrs <file>', 'AGR_AGRS: single roles of composite roles')
    .option('--agr-define <file>', 'AGR_DEFINE: the roles that others are derived from')
    .option('--agr-texts <file>', 'AGR_TEXTS: the texts of roles')
    .option('--agr-prof <file>', 'AGR_PROF: the profiles of roles')
    .option('--ust04 <file>', 'UST04: the profiles of users')
    .option('--usr02 <file>', 'USR02: users, their validity, locks and types')
    .option('--usr21 <file>', 'USR21: the keys of the addresses of users')
    .option('--adr6 <file>', 'ADR6: e-mail addresses')
    .option('--functions <file>', 'functions: columns function, tcode, object, field, value')
    .option('--system <name>', 'the name of the system', 'SAP')
    .action(
      run(async ({ output, skipFaults, truncate, map, prefix, delimiter, encoding, system, ...sap }: SapOptions) => {
        const options = Object.fromEntries(
          Object.entries({ output, skipFaults, truncate, map, prefix, delimiter, encoding }).filter(
            ([, value]) => value !== undefined,
          ),
        );
        return convert('sap', system, options, { given: pathsOf(sap), sap });
      }),
    );
  for (const [format, description] of [
    ['ldif', 'convert LDIF exports of a directory'],
    ['scim', 'convert SCIM 2.0 users and groups'],
    ['graph', 'convert users and groups of Microsoft Graph (Entra)'],
    ['okta', 'convert users and groups of Okta'],
  ] as const)
    mapped(format, description)
      .argument('<files...>', 'the files; of JSON lists, arrays, or one object a line')
      .option('--source <name>', 'the name of the directory')
      .action(
        run(async (given: readonly string[], { source, ...options }: SourceOptions) =>
          convert(format, source, options, { given }),
        ),
      );
  command('sailpoint', 'convert files of SailPoint Identity Security Cloud')
    .argument('<files...>', 'exports of the configuration, search results, and lists of the API (JSON)')
    .action(run((files: readonly string[], options: OutputOptions) => convertSailPointFiles(context, options, files)));
}

const pathsOf = (files: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.values(files).filter((path) => path !== undefined);

/** What a conversion is given by its command. */
export type Converting = Pick<Conversion, 'writer' | 'faults' | 'uses' | 'signal' | 'onProgress' | 'onNote'>;

/** Runs a conversion and writes its model, unless lines cannot be converted. */
export async function convertFiles(
  { output, signal }: Pick<CommandContext, 'output' | 'signal'>,
  { output: path, skipFaults = false, truncate = false }: OutputOptions,
  inputs: readonly string[],
  action: (converting: Converting) => Promise<void>,
): Promise<ExitCode> {
  const sink = openSink(path ?? null, { output });
  const faults = createFaults(output);
  const uses = createUses();
  const onCut = truncate ? (problem: Parameters<typeof formatProblem>[0]) => output.note(formatProblem(problem)) : null;
  const writer = createModelWriter({ write: sink.write, faults, onCut }, createIds());
  try {
    await reading({ output, signal }, inputs, (progress) => action({ writer, faults, uses, signal, ...progress }));
  } catch (error) {
    sink.discard();
    if (signal.aborted) throw new CommandFailure('stopped: the model is not complete');
    throw error;
  }
  const columns = usesTable(uses);
  if (columns !== '') output.note(columns.trimEnd());
  if (faults.count > 0 && !skipFaults) {
    sink.discard();
    const where = path === undefined ? 'the model lacks them' : `${path} was not written`;
    throw new CommandFailure(
      `${counted(faults.count, 'line')} cannot be converted: ${where} (--skip-faults writes the others)`,
    );
  }
  sink.commit();
  output.note(
    `${counted(writer.count, 'record')}${faults.count > 0 ? `, without ${counted(faults.count, 'line')} that cannot be converted` : ''}`,
  );
  if (writer.mentions > 0)
    output.note(
      `${counted(writer.mentions, 'entitlement is', 'entitlements are')} named and not described: an import replaces what the service has of ${writer.mentions === 1 ? 'it by its name' : 'them by their names'} alone`,
    );
  return EXIT.done;
}

/** What became of each column or field, as a table; empty where none was told. */
export const usesTable = ({ rows }: Uses): string =>
  rows.length === 0 ? '' : formatTable([['file or record', 'column', 'used as'], ...rows]);

/** Runs what reads files, and shows how far it is. */
export async function reading(
  { output, signal }: Pick<CommandContext, 'output' | 'signal'>,
  inputs: readonly string[],
  action: (progress: Pick<Conversion, 'onProgress' | 'onNote'>) => Promise<void>,
): Promise<void> {
  // Most of what is read dies at once: with V8's usual young space, which grows, it takes half as much memory again.
  setFlagsFromString('--semi-space-growth-factor=1');
  for (const input of inputs) sizeOf(input);
  const progress = new Map<string, { readonly bar: Progress; bytes: number }>();
  const onProgress = (file: string, bytes: number) => {
    let known = progress.get(file);
    // Files are read again.
    if (known === undefined || bytes < known.bytes) {
      known?.bar.end();
      known = { bar: output.progress(`Reading ${file}`, 'bytes'), bytes };
      progress.set(file, known);
    }
    known.bytes = bytes;
    known.bar.update(bytes, sizeOf(file));
  };
  try {
    await action({ onProgress, onNote: (text) => output.note(escapeControls(text)) });
  } finally {
    for (const { bar } of progress.values()) bar.end();
  }
  signal.throwIfAborted();
}

function sizeOf(file: string): number | null {
  try {
    return fileSize(file);
  } catch {
    throw new CommandFailure(`${file}: there is no such file`);
  }
}

/** What ids of the catalogue begin with; undefined where the command line does not say it. Throws a `CommandFailure` for what no id can begin with. */
export function prefixOf({ prefix }: Pick<ReadingOptions, 'prefix'>): string | undefined {
  if (prefix === undefined || prefix === '' || isResourceId(prefix)) return prefix;
  throw calledWrongly(`--prefix ${prefix}: ids are made of A-Z a-z 0-9 : _ . -`);
}

/** How tables are read, from options of the command line. */
export const tableOptions = ({ delimiter, encoding }: ReadingOptions) => ({
  ...(delimiter === undefined ? {} : { delimiter: /^(tab|\\t)$/i.test(delimiter) ? '\t' : delimiter }),
  ...(encoding === undefined ? {} : { encoding: encoding === 'latin1' ? 'windows-1252' : encoding }),
});

/** Converts files of SailPoint Identity Security Cloud, and notes what of them the service has nothing for. */
export function convertSailPointFiles(
  context: Pick<CommandContext, 'output' | 'signal'>,
  options: OutputOptions,
  files: readonly string[],
): Promise<ExitCode> {
  return convertFiles(context, options, files, async (converting) => {
    const leftOut = new Map<string, number>();
    const onLeftOut = (kind: string) => leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1);
    await convertSailPoint(files, { ...converting, onLeftOut });
    const counts = [...leftOut].sort().map(([kind, count]) => `${count} × ${kind}`);
    if (counts.length > 0) context.output.note(`left out, as the service has nothing for them: ${counts.join(', ')}`);
  });
}
