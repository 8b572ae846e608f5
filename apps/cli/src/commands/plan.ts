import { type AccessModelInput, PreconditionFailedError, type SodPolicyInput } from '@access-admin/client';
import { writeWhole } from '../files/write-whole.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { formatTable } from '../output/table.ts';
import { loadRulebook } from '../rulebook/load.ts';
import { compareWithService } from '../service/compare.ts';
import { dryRun } from '../service/dry-run.ts';
import { PLAN_FORMAT, type Plan, readPlan } from '../service/plan.ts';
import { type CommandParent, formatOf, RESULT_FORMATS } from './context.ts';
import { few } from './diff.ts';
import { withService } from './service.ts';

/** `plan` and `apply`: a change of policies that is reviewed before it is made. */
export function addPlan(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { output, signal } = context;
  program
    .command('plan')
    .description('plan the changes that make the policies of the service those of a rulebook')
    .argument('<rulebook>', 'a folder, or one file')
    .requiredOption('-o, --output <file>', 'the file of the plan')
    .option('--prune', 'count the policies that the files lack as removed; `apply --prune` deletes them')
    .action(
      run(
        withService(parent, async ({ client, url }, path: string, options: { output: string; prune?: boolean }) => {
          const rulebook = loadRulebook(path);
          const running = { client, output, signal };
          // Two reports of one version frame the policies that were read between them.
          const before = await dryRun({}, running);
          const { add, change, remove } = await compareWithService(rulebook, client, signal);
          const report = await dryRun({ add, change, remove: options.prune ? remove : [] }, running);
          if (report.policySetVersion !== before.policySetVersion)
            throw new CommandFailure('the policies changed while the plan was made: plan again');
          const { new: fresh, same, gone } = report.summary;
          const plan: Plan = {
            format: PLAN_FORMAT,
            url,
            created: context.now().toISOString(),
            policySetVersion: report.policySetVersion ?? 0,
            add,
            change,
            remove,
            violations: { new: fresh, same, gone },
          };
          await writeWhole(options.output, `${JSON.stringify(plan, null, 2)}\n`, context);
          if (formatOf(parent, RESULT_FORMATS) === 'json') await output.write(`${JSON.stringify(plan)}\n`);
          else await output.write(describePlan(plan));
          return EXIT.done;
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
          const plan = readPlan(path);
          if (plan.url !== url) throw new CommandFailure(`${path} is a plan for ${plan.url}, not for ${url}`);
          const removed = prune ? plan.remove : [];
          if (!prune && plan.remove.length > 0)
            output.note(
              `${plan.remove.length} policies are not in the files and stay: ${few(plan.remove)} (--prune deletes them)`,
            );
          if (removed.length > 0 && !(await context.confirm(`Delete ${removed.length} policies: ${few(removed)}?`)))
            throw new CommandFailure('nothing was changed');
          const records: AccessModelInput[] = [
            ...[...plan.add, ...plan.change].map((policy): AccessModelInput => ({ kind: 'sodPolicy', ...policy })),
            ...removed.map((id): AccessModelInput => ({ kind: 'sodPolicy', id, delete: true })),
          ];
          const { policySetVersion: ifPolicySetVersion } = plan;
          const result = await client.accessModel
            .import(records, { signal, ifPolicySetVersion })
            .catch((error: unknown) => {
              if (!(error instanceof PreconditionFailedError)) throw error;
              throw new CommandFailure(
                `refused: the policies or the catalogue have changed since the plan was made for policy-set version ${ifPolicySetVersion}. Nothing was changed: plan again.`,
              );
            });
          const { created, updated, deleted } = result.counts.sodPolicy;
          for (const { code, text } of result.warnings) output.note(`warning ${code}: ${text}`);
          const { policySetVersion } = result;
          if (formatOf(parent, RESULT_FORMATS) === 'json')
            await output.write(
              `${JSON.stringify({ created, updated, deleted, policySetVersion, warnings: result.warnings })}\n`,
            );
          else
            await output.write(
              `${created} policies created, ${updated} changed, ${deleted} deleted; policy-set version ${policySetVersion}\n`,
            );
          return EXIT.done;
        }),
      ),
    );

  function describePlan({ add, change, remove, policySetVersion, violations }: Plan): string {
    const row = (sign: string, style: 'green' | 'yellow') => (policy: SodPolicyInput) => [
      output.style(style, sign),
      policy.id,
      policy.name,
    ];
    const rows = [
      ...add.map(row('+', 'green')),
      ...change.map(row('~', 'yellow')),
      ...remove.map((id) => [output.style('red', '-'), id, 'only with --prune']),
    ];
    const counts = `${add.length} to add, ${change.length} to change, ${remove.length} not in the files`;
    return `${formatTable(rows)}${counts}; policy-set version ${policySetVersion}\nviolations: ${violations.new} new, ${violations.same} same, ${violations.gone} gone\n`;
  }
}
