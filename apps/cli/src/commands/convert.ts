import { setFlagsFromString } from 'node:v8';
import { keysOf } from '@access-admin/domain';
import * as v from 'valibot';
import { CSV_COLUMNS, type CsvFiles, type CsvMapping, convertCsv } from '../conversion/csv.ts';
import { convertLdif } from '../conversion/ldif.ts';
import { createFaults, type Faults } from '../conversion/report.ts';
import { convertSailPoint } from '../conversion/sailpoint.ts';
import { convertSap, type SapFiles } from '../conversion/sap.ts';
import { convertScim } from '../conversion/scim.ts';
import { createModelWriter, type ModelWriter } from '../conversion/write-model.ts';
import { fileSize } from '../files/read-lines.ts';
import { readText } from '../files/read-text.ts';
import { openSink } from '../files/write-whole.ts';
import { CommandFailure, calledWrongly, EXIT, type ExitCode } from '../output/failure.ts';
import type { Progress } from '../output/output.ts';
import { formatProblem } from '../output/problem.ts';
import { parseYaml } from '../rulebook/parse.ts';
import type { CommandContext, CommandParent } from './context.ts';

/** Where a model is written to, and whether in spite of faults. */
export interface OutputOptions {
  readonly output?: string;
  readonly skipFaults?: boolean;
  readonly truncate?: boolean;
}

interface TableOptions extends OutputOptions {
  readonly delimiter?: string;
  readonly encoding?: string;
}

interface CsvOptions extends TableOptions, CsvFiles {
  readonly map?: string;
}

interface SapOptions extends TableOptions, SapFiles {
  readonly system: string;
}

interface SourceOptions extends OutputOptions {
  readonly source: string;
}

/** What a conversion is given. */
export interface Converting {
  readonly writer: ModelWriter;
  readonly faults: Faults;
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, bytes: number) => void;
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
  command('csv', 'convert tables of people, entitlements and assignments')
    .requiredOption('--users <file>', 'the people, one a row')
    .requiredOption('--entitlements <file>', 'the entitlements, one a row')
    .requiredOption('--assignments <file>', 'who holds what: one a row')
    .option('--roles <file>', 'the entitlements of roles: one of one role a row')
    .option('--map <file>', 'which headings mean what (YAML): users: {id: Personnel no.}')
    .option('--delimiter <character>', 'found from the heading if left out; tab is a tab')
    .option('--encoding <name>', 'utf-8, latin1 or utf-16le; found from the bytes if left out')
    .action(
      run(async ({ users, entitlements, assignments, roles, map, ...options }: CsvOptions) => {
        const mapping = map === undefined ? {} : readMapping(map);
        const files = { users, entitlements, assignments, roles };
        return convertFiles(context, options, Object.values(files), (converting) =>
          convertCsv(files, { ...converting, ...tableOptions(options), mapping }),
        );
      }),
    );

  command('sap', 'convert exports of SAP tables')
    .requiredOption('--agr-users <file>', 'AGR_USERS: roles of users')
    .requiredOption('--agr-1251 <file>', 'AGR_1251: authorizations of roles')
    .option('--agr-agrs <file>', 'AGR_AGRS: single roles of composite roles')
    .option('--agr-define <file>', 'AGR_DEFINE: the texts of roles')
    .option('--usr02 <file>', 'USR02: users and their validity')
    .option('--functions <file>', 'functions: columns function, tcode, object, field, value')
    .option('--system <name>', 'the name of the system', 'SAP')
    .option('--delimiter <character>', 'found from the heading if left out; tab is a tab')
    .option('--encoding <name>', 'utf-8, latin1 or utf-16le; found from the bytes if left out')
    .action(
      run(async ({ agrUsers, agr1251, agrAgrs, agrDefine, usr02, functions, system, ...options }: SapOptions) => {
        const files = { agrUsers, agr1251, agrAgrs, agrDefine, usr02, functions };
        return convertFiles(context, options, Object.values(files), (converting) =>
          convertSap(files, { ...converting, ...tableOptions(options), system }),
        );
      }),
    );
  command('ldif', 'convert an LDIF export of a directory')
    .argument('<file>', 'the export')
    .option('--source <name>', 'the name of the directory', 'Directory')
    .action(
      run(async (file: string, { source, ...options }: SourceOptions) =>
        convertFiles(context, options, [file], (converting) => convertLdif(file, { ...converting, source })),
      ),
    );
  command('scim', 'convert SCIM 2.0 users and groups')
    .argument('<files...>', 'list responses, arrays, or one resource a line')
    .option('--source <name>', 'the name of the provider', 'SCIM')
    .action(
      run(async (files: readonly string[], { source, ...options }: SourceOptions) =>
        convertFiles(context, options, files, (converting) => convertScim(files, { ...converting, source })),
      ),
    );
  command('sailpoint', 'convert files of SailPoint Identity Security Cloud')
    .argument('<files...>', 'exports of the configuration, search results, and lists of the API (JSON)')
    .action(run((files: readonly string[], options: OutputOptions) => convertSailPointFiles(context, options, files)));
}

/** Runs a conversion and writes its model, unless lines cannot be converted. */
export async function convertFiles(
  { output, signal }: Pick<CommandContext, 'output' | 'signal'>,
  { output: path, skipFaults = false, truncate = false }: OutputOptions,
  inputs: readonly (string | undefined)[],
  action: (converting: Converting) => Promise<void>,
): Promise<ExitCode> {
  // Most of what is read dies at once: with V8's usual young space, which grows, it takes half as much memory again.
  setFlagsFromString('--semi-space-growth-factor=1');
  for (const input of inputs) if (input !== undefined) sizeOf(input);
  const sink = openSink(path ?? null, { output });
  const faults = createFaults(output);
  const writer = createModelWriter({
    sink,
    faults,
    onCut: truncate ? (problem) => output.note(formatProblem(problem)) : null,
  });
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
    await action({ writer, faults, signal, onProgress });
  } catch (error) {
    sink.discard();
    if (signal.aborted) throw new CommandFailure('stopped: the model is not complete');
    throw error;
  } finally {
    for (const { bar } of progress.values()) bar.end();
  }
  if (faults.count > 0 && !skipFaults) {
    sink.discard();
    const where = path === undefined ? 'the model lacks them' : `${path} was not written`;
    throw new CommandFailure(`${faults.count} lines cannot be converted: ${where} (--skip-faults writes the others)`);
  }
  sink.commit();
  output.note(
    `${writer.count.toLocaleString('en-US')} records${faults.count > 0 ? `, without ${faults.count} lines that cannot be converted` : ''}`,
  );
  return EXIT.done;
}

function sizeOf(file: string): number | null {
  try {
    return fileSize(file);
  } catch {
    throw new CommandFailure(`${file}: there is no such file`);
  }
}

const tableOptions = ({ delimiter, encoding }: TableOptions) => ({
  ...(delimiter === undefined ? {} : { delimiter: /^(tab|\\t)$/i.test(delimiter) ? '\t' : delimiter }),
  ...(encoding === undefined ? {} : { encoding: encoding === 'latin1' ? 'windows-1252' : encoding }),
});

const mappingFile = v.record(v.picklist(keysOf(CSV_COLUMNS)), v.record(v.string(), v.string()));

function readMapping(path: string): CsvMapping {
  const { document, lines } = parseYaml(readText(path));
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw new CommandFailure(`${path}:${line}:${col}: ${fault.message}`);
  }
  const parsed = v.safeParse(mappingFile, document.toJS());
  if (!parsed.success) {
    const known = Object.entries(CSV_COLUMNS).map(
      ([file, { aliases }]) => `${file}: ${Object.keys(aliases).join(', ')}`,
    );
    throw new CommandFailure(`${path}:1:1: must name the columns of files: ${known.join('; ')}`);
  }
  for (const file of keysOf(parsed.output)) {
    const known = Object.keys(CSV_COLUMNS[file].aliases);
    const unknown = Object.keys(parsed.output[file] ?? {}).find((column) => !known.includes(column));
    if (unknown !== undefined) throw calledWrongly(`${path}: ${file} has no ${unknown}; there are ${known.join(', ')}`);
  }
  return parsed.output;
}

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
