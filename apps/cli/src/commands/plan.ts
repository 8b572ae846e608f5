import { type AccessModelInput, PreconditionFailedError } from '@access-admin/client';
import { writeWhole } from '../files/write-whole.ts';
import { createViolationLog } from '../gates/violation-log.ts';
import { peopleRows } from '../gates/violations-report.ts';
import { counted } from '../output/counted.ts';
import { line } from '../output/escape.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { formatTable } from '../output/table.ts';
import { loadRulebook } from '../rulebook/load.ts';
import { compareWithService, type FieldChange, type PolicyChange } from '../service/compare.ts';
import type { Connection } from '../service/connect.ts';
import { dryRun, logReport } from '../service/dry-run.ts';
import { findCovering, PLAN_FORMAT, type Plan, readPlan } from '../service/plan.ts';
import { type CommandParent, formatOf, RESULT_FORMATS } from './context.ts';
import { few, stayingNote } from './diff.ts';
import { withService } from './service.ts';

interface PlanOptions {
  readonly output?: string;
  readonly prune?: boolean;
  readonly detailedExitcode?: boolean;
}

/** With it 2 means changes, as Terraform has it, so that a wrong call must end otherwise. */
export const DETAILED_EXIT_CODE = '--detailed-exitcode';

/** `plan` and `apply`: a change of policies that is reviewed before it is made. */
export function addPlan(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { output, signal } = context;
  program
    .command('plan')
    .description('show the changes that make the policies of the service those of a rulebook')
    .argument('<rulebook>', 'a folder, or one file')
    .option('-o, --output <file>', 'write the plan, for `apply`')
    .option('--prune', 'count the policies that the files lack as removed; `apply --prune` deletes them')
    .option(DETAILED_EXIT_CODE, 'exit with 2 where there is something to change, and with 1 where it is called wrongly')
    .action(
      run(
        withService(parent, async (service, path: string, options: PlanOptions) => {
          const plan = await makePlan(service, path, options.prune === true);
          if (!options.prune && plan.remove.length > 0) output.note(stayingNote(plan.remove));
          if (options.output !== undefined)
            await writeWhole(options.output, `${JSON.stringify(plan, null, 2)}\n`, context);
          if (formatOf(parent, RESULT_FORMATS) === 'json') await output.write(`${JSON.stringify(plan)}\n`);
          else await output.show(describePlan(plan, options.prune === true, output));
          const count = plan.add.length + plan.change.length + (options.prune ? plan.remove.length : 0);
          return options.detailedExitcode && count > 0 ? EXIT.changes : EXIT.done;
        }),
      ),
    );
  program
    .command('apply')
    .description('make the changes of a plan, unless the policies have changed since')
    .argument('<plan>', 'the file that `plan` wrote')
    .option('--prune', 'also delete the policies that the files lack')
    .action(
      run(
        withService(parent, async ({ client, url }, path: string, { prune = false }: { readonly prune?: boolean }) => {
          const plan = await context.blocking(() => readPlan(path));
          if (plan.url !== url) throw new CommandFailure(`${path} is a plan for ${plan.url}, not for ${url}`);
          const removed = prune ? plan.remove : [];
          if (!prune && plan.remove.length > 0) output.note(stayingNote(plan.remove));
          if (
            removed.length > 0 &&
            !(await context.confirm(`Delete ${counted(removed.length, 'policy', 'policies')}: ${few(removed)}?`))
          )
            throw new CommandFailure('nothing was changed');
          const records: AccessModelInput[] = [
            ...[...plan.add, ...plan.change].map(({ policy }): AccessModelInput => ({ kind: 'sodPolicy', ...policy })),
            ...removed.map((id): AccessModelInput => ({ kind: 'sodPolicy', id, delete: true })),
          ];
          const { policySetVersion: ifPolicySetVersion } = plan;
          const result = await client.accessModel
            .import(records, { signal, ifPolicySetVersion })
            .catch((error: unknown) => {
              if (!(error instanceof PreconditionFailedError)) throw error;
              throw new CommandFailure(
                `refused: the policies or the catalogue have changed since the plan was made for policy-set version ${ifPolicySetVersion}. Nothing was changed: plan again.`,
                EXIT.gate,
              );
            });
          const { created, updated, deleted } = result.counts.sodPolicy;
          for (const { code, text } of result.warnings) output.note(line`warning ${code}: ${text}`);
          const { policySetVersion } = result;
          if (formatOf(parent, RESULT_FORMATS) === 'json')
            await output.write(
              `${JSON.stringify({ created, updated, deleted, policySetVersion, warnings: result.warnings })}\n`,
            );
          else
            await output.show(
              `policies: ${created} created, ${updated} changed, ${deleted} deleted; policy-set version ${policySetVersion}\n`,
            );
          return EXIT.done;
        }),
      ),
    );

  async function makePlan({ client, url }: Connection, path: string, prunes: boolean): Promise<Plan> {
    const rulebook = await context.blocking(() => loadRulebook(path));
    const running = { client, output, signal };
    // Two reports of one version frame the policies that were read between them.
    const before = await dryRun({}, running);
    const { add, change, remove, endedApprovals } = await compareWithService(rulebook, { ...context, client });
    const removed = prunes ? remove : [];
    const policiesOf = (changes: readonly PolicyChange[]) => changes.map(({ policy }) => policy);
    const report = await dryRun({ add: policiesOf(add), change: policiesOf(change), remove: removed }, running);
    using log = createViolationLog(() => null, false);
    await logReport(report, { ...running, log, isWhole: false });
    const exceptions = await findCovering([...endedApprovals, ...removed], client, signal);
    const { policySetVersion } = report;
    if (policySetVersion === null || policySetVersion !== before.policySetVersion)
      throw new CommandFailure('the policies or the catalogue changed while the plan was made: plan again', EXIT.gate);
    return {
      format: PLAN_FORMAT,
      url,
      created: context.now().toISOString(),
      policySetVersion,
      add,
      change,
      remove,
      exceptions,
      violations: { ...log.totals(), named: log.named() },
    };
  }
}

/** A plan as people read it. */
function describePlan(
  { add, change, remove, policySetVersion, exceptions, violations }: Plan,
  prunes: boolean,
  output: Output,
): string {
  const styles = { '+': 'green', '~': 'yellow', '-': 'red' } as const;
  const head = (sign: keyof typeof styles, id: string, text: string) =>
    line`${output.style(styles[sign], sign)} ${id}  ${text}\n`;
  const described = (sign: '+' | '~') => (changes: PolicyChange) =>
    head(sign, changes.policy.id, changes.policy.name) + formatTable(changes.fields.flatMap(rowsOf));
  const parts = [
    ...add.map(described('+')),
    ...change.map(described('~')),
    ...(prunes ? remove : []).map((id) => head('-', id, 'deleted by `apply --prune`')),
    `${add.length} to add, ${change.length} to change, ${remove.length} not in the files; policy-set version ${policySetVersion}\n`,
  ];
  if (exceptions.length > 0)
    parts.push(
      `exceptions that become void: ${exceptions.length}\n`,
      formatTable([
        ['  exception', 'policy', 'identity', 'name', 'end'],
        ...exceptions.map(({ id, policyId, identityId, displayName, end }) => [
          `  ${id}`,
          policyId,
          identityId,
          displayName ?? '',
          end,
        ]),
      ]),
    );
  parts.push(`violations: ${violations.new} begin, ${violations.gone} end, ${violations.same} stay\n`);
  if (violations.named.length > 0) parts.push(formatTable(peopleRows(violations.named, 'diff')));
  const more = violations.new + violations.gone - violations.named.length;
  return parts.join('') + (more > 0 ? `and ${more.toLocaleString('en-US')} more\n` : '');
}

/** A field before and after; of a list what it gains and loses. */
function rowsOf({ field, before, after }: FieldChange): string[][] {
  if (isTexts(before) && isTexts(after)) {
    const lost = before.filter((each) => !after.includes(each)).map((each) => `- ${each}`);
    const gained = after.filter((each) => !before.includes(each)).map((each) => `+ ${each}`);
    return [...lost, ...gained].map((text, at) => [at === 0 ? `    ${field}` : '', text]);
  }
  return [
    [`    ${field}`, before === null ? JSON.stringify(after) : `${JSON.stringify(before)} → ${JSON.stringify(after)}`],
  ];
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
