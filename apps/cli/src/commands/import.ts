import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessModelInput, RecordKind } from '@access-admin/client';
import { RECORD_KINDS } from '@access-admin/domain';
import { kindOf } from '../conversion/kinds.ts';
import { openTemporary } from '../files/temporary.ts';
import { openSink } from '../files/write-whole.ts';
import { line } from '../output/escape.ts';
import { CommandFailure, calledWrongly, EXIT } from '../output/failure.ts';
import { formatTable } from '../output/table.ts';
import { type Importing, importFiles, importRecords } from '../service/import-all.ts';
import { type ImportContent, nameOf, surveyImport } from '../service/import-chunks.ts';
import { openProgress } from '../service/kept-progress.ts';
import { type CommandParent, deletesOf, formatOf, RESULT_FORMATS } from './context.ts';
import { convertSailPointFiles } from './convert.ts';
import { withService } from './service.ts';

interface ImportOptions {
  readonly from?: string;
  readonly prune?: boolean;
  readonly restart?: boolean;
  readonly confirmDeletes?: string;
}

/** `import` and `export`: the access model in and out of the service. */
export function addImport(parent: CommandParent): void {
  const { program, context, run } = parent;
  program
    .command('import')
    .description('import records (NDJSON) into the service, in as many requests as it takes')
    .argument('<files...>', 'files of records, as `export` and `convert` write them')
    .option('--from <product>', 'the files are exports of another product, which are converted first: sailpoint')
    .option('--prune', 'afterwards delete what the files lack, of the kinds of record that they have')
    .option(
      '--confirm-deletes <n>',
      'with --prune, delete more than 10 % of the records of a kind: this many of all kinds',
    )
    .option('--restart', 'begin from the start, although an earlier run of this import was interrupted')
    .action(
      run(
        withService(parent, async ({ client, url, clientId }, given: readonly string[], options: ImportOptions) => {
          if (given.includes('-')) throw calledWrongly('import reads files, which it can read again after a failure');
          const { signal, output, environment } = context;
          const confirmDeletes = deletesOf(options.confirmDeletes);
          using converted = await convertFrom(options.from, given);
          const { files } = converted;
          for (const file of files) expectRecords(file);
          const content = await surveyImport({ files, signal }, options.prune === true);
          const state = openProgress(environment.cachePath, { what: ['import'], url, clientId, files: given });
          if (options.restart) state.remove();
          const importing = { client, output, signal };
          const surplus = options.prune ? await surplusOf(content, importing, confirmDeletes) : new Map();
          const totals = await importFiles({ files, signal }, content, { ...importing, state });
          const pruned = await prune(surplus, importing);
          for (const { code, text } of totals.warnings) output.note(line`warning ${code}: ${text}`);
          if (formatOf(parent, RESULT_FORMATS) === 'json')
            await output.write(`${JSON.stringify({ ...totals, pruned })}\n`);
          else {
            const rows = RECORD_KINDS.filter((kind) =>
              Object.values(totals.counts[kind]).some((count) => count > 0),
            ).map((kind) => {
              const { created, updated, deleted, unchanged } = totals.counts[kind];
              return [kind, created, updated, deleted, unchanged].map(String);
            });
            await output.show(formatTable([['kind', 'created', 'updated', 'deleted', 'unchanged'], ...rows]));
            if (options.prune) await output.show(`${pruned.toLocaleString('en-US')} others deleted\n`);
          }
          return EXIT.done;
        }),
      ),
    );
  program
    .command('export')
    .description('write all records of the service (NDJSON)')
    .option('-o, --output <file>', 'the file to write; standard output if left out')
    .action(
      run(
        withService(parent, async ({ client }, { output: path }: { readonly output?: string }) => {
          const { output, signal } = context;
          const sink = openSink(path ?? null, { output });
          const progress = output.progress('Exporting', 'records');
          let count = 0;
          try {
            for await (const record of client.accessModel.export({ signal })) {
              await sink.write(`${JSON.stringify(record)}\n`);
              progress.update(++count, null);
            }
          } catch (error) {
            sink.discard();
            if (signal.aborted) throw new CommandFailure('stopped: the export is not complete');
            throw error;
          } finally {
            progress.end();
          }
          sink.commit();
          return EXIT.done;
        }),
      ),
    );

  /** The files to import: the given ones, or a temporary model of those of another product. */
  async function convertFrom(
    product: string | undefined,
    given: readonly string[],
  ): Promise<Disposable & { readonly files: readonly string[] }> {
    if (product === undefined) return { files: given, [Symbol.dispose]: () => {} };
    if (product !== 'sailpoint') throw calledWrongly(`--from ${product}: there is sailpoint`);
    const folder = mkdtempSync(join(tmpdir(), 'access-admin-'));
    const temporary = openTemporary(folder);
    try {
      const model = join(folder, 'model.ndjson');
      await convertSailPointFiles(context, { output: model }, given);
      return { ...temporary, files: [model] };
    } catch (error) {
      temporary[Symbol.dispose]();
      throw error;
    }
  }

  /** What the files of an import lack of the stored records, of the kinds that they have. Throws a `CommandFailure` for too many. */
  async function surplusOf({ kinds, ids }: ImportContent, { client }: Importing, confirmed: number | null) {
    const surplus = new Map<RecordKind, AccessModelInput[]>();
    const stored = new Map<RecordKind, number>();
    for await (const record of client.accessModel.export({ signal: context.signal })) {
      const { kind, id } = record;
      stored.set(kind, (stored.get(kind) ?? 0) + 1);
      if (!PRUNED.has(kind) || !kinds.has(kind) || ids.get(kind)?.has(nameOf(record))) continue;
      const ofKind = surplus.get(kind) ?? [];
      ofKind.push(kind === 'account' ? { kind, source: record.source, id, delete: true } : { kind, id, delete: true });
      surplus.set(kind, ofKind);
    }
    const count = [...surplus.values()].reduce((sum, each) => sum + each.length, 0);
    const many = [...surplus].filter(([kind, each]) => each.length > (stored.get(kind) ?? 0) * PRUNED_PART_MAX);
    if (many.length > 0 && confirmed !== count) {
      const what = many.map(([kind, each]) => `${each.length} of ${stored.get(kind)} × ${kind}`).join(', ');
      throw new CommandFailure(
        `--prune would delete ${what}, which the files lack: more than 10 %. Nothing was changed. If that is right: --confirm-deletes ${count}`,
      );
    }
    return surplus;
  }

  /** Deletes records; returns their number. */
  async function prune(
    surplus: ReadonlyMap<RecordKind, readonly AccessModelInput[]>,
    importing: Importing,
  ): Promise<number> {
    const deletions = RECORD_KINDS.toReversed().flatMap((kind) => surplus.get(kind) ?? []);
    if (deletions.length === 0) return 0;
    const what = [...surplus].map(([kind, each]) => `${each.length} × ${kind}`).join(', ');
    if (!(await context.confirm(`Delete ${what}, which the files lack?`)))
      throw new CommandFailure('nothing was deleted; the records of the files are imported');
    for (let at = 0; at < deletions.length; at += DELETED_AT_ONCE)
      await importRecords(deletions.slice(at, at + DELETED_AT_ONCE), importing);
    return deletions.length;
  }
}

/** The part of the records of a kind that is deleted without a number that confirms it. */
const PRUNED_PART_MAX = 0.1;
// Of the settings a tenant has one record each.
const PRUNED: ReadonlySet<RecordKind> = new Set(RECORD_KINDS.slice(0, RECORD_KINDS.indexOf('control') + 1));
const DELETED_AT_ONCE = 10_000;

/** Throws a `CommandFailure` that says what to do with a file that has no records of the service. */
function expectRecords(file: string): void {
  const { formats, name } = kindOf(file);
  if (formats.includes('ndjson')) return;
  const [format] = formats;
  const advice =
    format === undefined
      ? ''
      : `: \`access-admin load\` takes it as accounts of a source (--from ${format}), and \`access-admin convert ${format}\` makes a model of it, which import takes`;
  throw new CommandFailure(`${file}:1:1: is ${name}, and no records (NDJSON)${advice}`);
}
