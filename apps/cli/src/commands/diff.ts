import { GATE_FORMATS, type GateFormat } from '../gates/report.ts';
import { createViolationLog } from '../gates/violation-log.ts';
import { parseViolationGate, passesGate, reportViolations, type ViolationGate } from '../gates/violations-report.ts';
import { calledWrongly, type ExitCode } from '../output/failure.ts';
import { loadRulebook } from '../rulebook/load.ts';
import { compareWithService } from '../service/compare.ts';
import type { Connection } from '../service/connect.ts';
import { dryRun, logReport } from '../service/dry-run.ts';
import { type CommandParent, formatOf } from './context.ts';
import { diffLocally, summarizeChanges } from './diff-local.ts';
import { endGate } from './gate.ts';
import { parseInstant } from './scan.ts';
import { withService } from './service.ts';

interface DiffOptions {
  readonly local?: string;
  readonly at?: string;
  readonly failOn?: string;
  readonly prune?: boolean;
}

/** `diff`: what a rulebook would change for everybody, in the service or between two rulebooks. */
export function addDiff(parent: CommandParent): void {
  const { program, context, run } = parent;
  program
    .command('diff')
    .description('find what a rulebook would change: new, same and gone violations of everybody')
    .argument('<rulebook>', 'a folder, or one file; with --local the old one')
    .argument('[new]', 'with --local: the new one')
    .option('--local <model>', 'compare two rulebooks on an access model (NDJSON), without a service')
    .option('--at <instant>', 'with --local: the only instant that counts')
    .option('--prune', 'also remove the policies of the service that the files lack')
    .option('--fail-on <gate>', 'exit with 3 on new violations: new, or new:LEVEL for that level and above')
    .action(
      run(async (path: string, other: string | undefined, options: DiffOptions): Promise<ExitCode> => {
        const gate = options.failOn === undefined ? null : parseViolationGate(options.failOn, 'new');
        const { local } = options;
        if (local !== undefined) {
          if (other === undefined) throw calledWrongly('diff --local needs two rulebooks: the old one and the new one');
          return diffLocally(parent, { model: local, before: path, after: other, at: parseInstant(options.at), gate });
        }
        if (other !== undefined) throw calledWrongly('diff takes one rulebook, unless --local names a model');
        return withService(parent, diffWithService)(path, options.prune === true, gate);
      }),
    );

  async function diffWithService(
    { client }: Connection,
    path: string,
    prunes: boolean,
    gate: ViolationGate | null,
  ): Promise<ExitCode> {
    const { output, signal } = context;
    const format = formatOf<GateFormat>(parent, GATE_FORMATS);
    const rulebook = await context.blocking(() => loadRulebook(path));
    const { remove, policies, ...changes } = await compareWithService(rulebook, { ...context, client });
    const add = changes.add.map(({ policy }) => policy);
    const change = changes.change.map(({ policy }) => policy);
    const removed = prunes ? remove : [];
    if (!prunes && remove.length > 0) output.note(stayingNote(remove));
    const places = new Map(policies.map(({ policy, at }) => [policy.id, at]));
    using log = createViolationLog((id) => places.get(id) ?? null, format === 'json');
    const running = { client, output, signal };
    const facts = {
      added: add.map(({ id }) => id),
      changed: change.map(({ id }) => id),
      removed,
    };
    let basis = {};
    if (add.length + change.length + removed.length > 0) {
      const report = await dryRun({ add, change, remove: removed }, running);
      await logReport(report, { ...running, log, isWhole: format === 'json' });
      const { reportId, policySetVersion, asOf, summary } = report;
      basis = { reportId, policySetVersion, asOf, identities: summary.identities };
    }
    const summary = summarizeChanges(facts, log.totals());
    const report = reportViolations({ command: 'diff', summary, log, output, facts: { ...basis, ...facts } });
    return endGate(parent, report, passesGate(gate, log, 'new'));
  }
}

/** What tells of policies that are neither compared nor deleted, as the files lack them. */
export const stayingNote = (ids: readonly string[]): string =>
  `policies left as they are, because the files lack them: ${few(ids)} (--prune deletes them)`;

/** The first of many ids. */
export const few = (ids: readonly string[]): string =>
  ids.length <= 10 ? ids.join(', ') : `${ids.slice(0, 10).join(', ')} and ${ids.length - 10} more`;
