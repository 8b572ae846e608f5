import { filter, type Source, type SourceLoad } from '@access-admin/client';
import { ATTRIBUTE_PREFIX, type LoadSummary } from '@access-admin/domain';
import type { Conversion } from '../conversion/conversion.ts';
import { CONVERTERS, mappingOf } from '../conversion/convert.ts';
import { FORMATS, type Format } from '../conversion/kinds.ts';
import { createFaults } from '../conversion/report.ts';
import { createUses } from '../conversion/uses.ts';
import { createLoadWriter, type LoadWriter, withPrefix } from '../conversion/write-records.ts';
import { counted } from '../output/counted.ts';
import { line } from '../output/escape.ts';
import { CommandFailure, calledWrongly, EXIT } from '../output/failure.ts';
import { formatProblem, type Problem } from '../output/problem.ts';
import { formatTable } from '../output/table.ts';
import { openProgress } from '../service/kept-progress.ts';
import { findKnownItems } from '../service/known-items.ts';
import { createLoadParts } from '../service/load-parts.ts';
import { findSource, runLoad } from '../service/loads.ts';
import { whileAway } from '../service/while-away.ts';
import { type CommandParent, deletesOf, formatOf, RESULT_FORMATS } from './context.ts';
import { prefixOf, type ReadingOptions, reading, tableOptions, usesTable } from './convert.ts';
import { withService } from './service.ts';

interface LoadCommandOptions extends ReadingOptions {
  readonly from: string;
  readonly full?: boolean;
  readonly delta?: boolean;
  readonly dryRun?: boolean;
  readonly confirmDeletes?: string;
  readonly restart?: boolean;
  readonly truncate?: boolean;
}

/** `load`: files of another system into the accounts of its source, in one step. */
export function addLoad(parent: CommandParent): void {
  const { program, context, run } = parent;
  program
    .command('load')
    .description('convert files of a system, and load them as the accounts of its source')
    .argument('<source>', 'the id or the name of the source')
    .argument('<files...>', 'the files; of several tables in any order')
    .requiredOption('--from <format>', `what the files are: ${FORMATS.join(', ')}`)
    .option('--map <file>', 'which columns or fields mean what (YAML)')
    .option('--prefix <text>', 'what the ids of entitlements, access profiles and roles begin with')
    .option('--full', 'the files are all accounts of the source: others are deleted (the default)')
    .option('--delta', 'the files are some accounts of the source: others stay')
    .option('--dry-run', 'say what would change, and change nothing')
    .option('--confirm-deletes <n>', 'load although it deletes, or takes all access from, this many accounts')
    .option('--restart', 'cancel a load of the source that is open, and begin anew')
    .option('--truncate', 'cut names and attributes that are longer than the service takes; each is named')
    .option('--delimiter <character>', 'found from the heading if left out; tab is a tab')
    .option('--encoding <name>', 'utf-8, latin1, utf-16le or utf-16be; found from the bytes if left out')
    .action(
      run(
        withService(
          parent,
          async ({ client, url, clientId }, given: string, files: readonly string[], options: LoadCommandOptions) => {
            const { output, signal, environment } = context;
            const format = formatNamed(options.from);
            const confirmDeletes = deletesOf(options.confirmDeletes);
            const prefix = prefixOf(options);
            if (options.full && options.delta) throw calledWrongly('--full and --delta: give one of them');
            const mode = options.delta ? 'DELTA' : 'FULL';
            const dryRun = options.dryRun === true;
            const mapping = mappingOf(format, options.map);
            const shown = formatOf(parent, RESULT_FORMATS);
            const away = <T>(action: () => Promise<T>) => whileAway(action, { output, signal });
            const source = await away(() => findSource(client, given, signal));
            using parts = createLoadParts();
            const faults = createFaults(output);
            const uses = createUses();
            const onCut = options.truncate ? (problem: Problem) => output.note(formatProblem(problem)) : null;
            const writer = createLoadWriter({ put: parts.put, faults, onCut }, source.name);
            const conversion: Omit<Conversion, 'onProgress' | 'onNote'> = {
              ...tableOptions(options),
              writer: withPrefix(writer, prefix ?? ''),
              faults,
              uses,
              mapping,
              signal,
              format,
              system: source.name,
              isLoad: true,
            };
            await reading({ output, signal }, files, (progress) =>
              CONVERTERS[format].convert({ given: files }, { ...conversion, ...progress }),
            );
            if (shown === 'human') await output.show(usesTable(uses));
            for (const text of vainRules(source, writer)) output.note(text);
            if (faults.count > 0)
              throw new CommandFailure(`${counted(faults.count, 'line')} cannot be converted: nothing was loaded`);
            if (writer.count === 0) throw new CommandFailure('the files have no records: nothing was loaded');
            // A prefix says of what the files describe that it is of this source.
            const asked = prefix === undefined ? writer.items : writer.items.filter(({ mention }) => mention);
            const find = () => findKnownItems(client, asked, { source, signal });
            const { known, foreign, otherwise } = await away(find);
            for (const [{ at, id }, kind] of otherwise)
              faults.add({
                at,
                text: `${id} is ${kind === 'role' ? 'a role' : 'an access profile'} in the service, and nothing says that it is an entitlement here: give the table a column \`type\``,
              });
            if (faults.count > 0)
              throw new CommandFailure(`${counted(faults.count, 'line')} cannot be converted: nothing was loaded`);
            if (prefix === undefined && foreign.length > 0) {
              for (const [{ at, kind, id }, owner] of foreign)
                faults.add({ at, text: `the ${kind} ${id} is of ${owner} in the service` });
              throw new CommandFailure(
                `${counted(faults.count, 'id is that', 'ids are those')} of other sources: nothing was loaded. --prefix <text> gives ${source.name} ids of its own; --prefix "" says that they are the same things`,
              );
            }
            writer.putMentions(known);
            parts.end();
            if (mode === 'FULL' && !dryRun && writer.accounts === 0) {
              const filters = filter`source eq ${source.id}`;
              const { total } = await away(() => client.accounts.page({ filters, limit: 1, count: true, signal }));
              if (total !== 0 && total !== confirmDeletes)
                throw new CommandFailure(
                  `the files have no account: the load would delete ${total === 1 ? 'the account' : `all ${counted(total ?? 0, 'account')}`} of ${source.name}. If that is right: the same command with --confirm-deletes ${total}`,
                );
            }
            // What is sent says whether it is the same load: files may be read in another way.
            const what = ['load', source.id, mode, String(dryRun), parts.digest];
            const progress = openProgress(environment.cachePath, { what, url, clientId, files: [] });
            const restart = options.restart === true;
            const loading = { client, output, signal, progress };
            const load = await runLoad(parts, source, { mode, dryRun, confirmDeletes, restart }, loading);
            if (shown === 'json') {
              const columns = uses.rows.map(([of, column, use]) => ({ of, column, use }));
              await output.write(`${JSON.stringify({ columns, records: parts.records, load })}\n`);
            } else if (load.state !== 'REFUSED' && load.summary !== null) await output.show(summaryText(load.summary));
            for (const { part, line: number, text } of load.summary?.faults ?? [])
              output.note(line`${parts.placeOf(part, number) ?? `part ${part}, line ${number}`}: ${text}`);
            const failure = failureOf(load);
            if (failure !== null) throw new CommandFailure(failure);
            if (dryRun) output.note('nothing was changed: this was a dry run');
            return EXIT.done;
          },
        ),
      ),
    );
}

function formatNamed(text: string): Format {
  const format = FORMATS.find((each) => each === text);
  if (format === undefined) throw calledWrongly(`--from ${text}: there are ${FORMATS.join(', ')}`);
  return format;
}

/**
 * The rules of a source that cannot match, because no account of a load has their field. Rules on names and e-mail addresses are
 * listed only where no rule can match: many systems have but one of these fields.
 */
function vainRules({ name, correlation }: Source, { accounts, accountFields }: LoadWriter): readonly string[] {
  const vain = accounts === 0 ? [] : correlation.filter(({ account }) => !accountFields.has(account));
  return vain
    .filter(({ account }) => account.startsWith(ATTRIBUTE_PREFIX) || vain.length === correlation.length)
    .map(
      ({ account, identity }) =>
        line`the rule ${account} = ${identity} of ${name} matches no person: no account of these files has ${account}`,
    );
}

/** Why a load did not succeed, and what to do; null where it did. */
function failureOf({ loadId, state, dryRun, committed, reason, deletes, message, summary }: SourceLoad): string | null {
  if (state === 'SUCCESS') return null;
  if (reason === 'DELETES_ABOVE_THRESHOLD')
    return `load ${loadId} was refused: it would delete, or take all access from, ${counted(deletes ?? 0, 'account')}. Nothing was changed. If that is right: the same command with --confirm-deletes ${deletes}`;
  if (state === 'ERROR')
    return `load ${loadId} failed: ${message}\n${
      dryRun || committed === null
        ? 'Nothing was changed'
        : 'What it has applied stays; the same command loads the rest'
    }`;
  const { faults = [], faultCount = 0 } = summary ?? {};
  const named = faultCount > faults.length ? `, of which the first ${faults.length} are named` : '';
  return `load ${loadId} was refused, and nothing was changed: ${counted(faultCount, 'record has', 'records have')} faults${named}`;
}

function summaryText(summary: LoadSummary): string {
  const { accounts, correlated, identities, access, disabled, catalogue, violations } = summary;
  const table = formatTable([
    ['', 'created', 'updated', 'deleted', 'unchanged'],
    ['accounts', ...[accounts.created, accounts.updated, accounts.deleted, accounts.unchanged].map(String)],
    ['identities', String(identities.created), String(identities.updated), '', ''],
    ['catalogue', String(catalogue.created), String(catalogue.updated), '', ''],
  ]);
  const { byRule, byHand, ambiguous, none } = correlated;
  const lines = [
    `correlated: ${byRule} by rule, ${byHand} by hand, ${ambiguous} ambiguous, ${none} none`,
    `access: ${access.added} added, ${access.removed} removed; ${counted(disabled, 'account')} disabled`,
    ...(violations === undefined ? [] : [`violations: ${violations.opened} opened, ${violations.ended} ended`]),
  ];
  return `${table}${lines.map((text) => `${text}\n`).join('')}`;
}
