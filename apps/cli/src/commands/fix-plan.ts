import type { FixStep, UnsolvableViolation } from '@access-admin/client';
import { csvRow } from '../output/csv.ts';
import { line } from '../output/escape.ts';
import { CommandFailure, calledWrongly, EXIT, type ExitCode } from '../output/failure.ts';
import { formatTable } from '../output/table.ts';
import { type CommandParent, formatOf } from './context.ts';
import { allOf, withService } from './service.ts';

/** `fix-plan`: the fewest revocations that end violations. */
export function addFixPlan(parent: CommandParent): void {
  const { program, context, run } = parent;
  program
    .command('fix-plan')
    .description('plan the fewest revocations that end the present violations; --format csv writes a row a step')
    .option('--keep-holders <number>', 'how many holders each entitlement keeps, 0 to 10', '1')
    .action(
      run(
        withService(parent, async ({ client }, { keepHolders }: { readonly keepHolders: string }) => {
          const { output, signal } = context;
          const format = formatOf(parent, FORMATS);
          if (!/^(\d|10)$/.test(keepHolders)) throw calledWrongly(`--keep-holders ${keepHolders}: 0 to 10`);
          const { sodReports } = client;
          const { reportId } = await sodReports.fixPlan({ keepHolders: Number(keepHolders) }, { signal });
          const report = await sodReports.waitFor(reportId, { signal });
          if (report.state === 'ERROR' || !('revocations' in report.summary))
            throw new CommandFailure(report.message ?? 'the plan was not made');
          const { summary } = report;
          if (format === 'csv') return writeCsv(parent, sodReports.steps(reportId, { signal }));
          const steps = await allOf(sodReports.steps(reportId, { signal }));
          const unsolvable = await allOf(sodReports.unsolvable(reportId, { signal }));
          if (format === 'json') {
            await output.write(`${JSON.stringify({ reportId, summary, steps, unsolvable })}\n`);
            return EXIT.done;
          }
          const { revocations, ended, violations, optimal, lowerBound } = summary;
          const best = optimal ? 'no plan needs fewer' : `the best plan needs ${lowerBound} or more`;
          await output.show(line`${revocations} revocations end ${ended} of ${violations} violations; ${best}\n`);
          if (steps.length > 0) await output.show(formatTable([COLUMNS, ...steps.map(rowOf)]));
          if (unsolvable.length > 0) await output.show(formatTable([LEFT, ...unsolvable.map(leftRowOf)]));
          return EXIT.done;
        }),
      ),
    );
}

const FORMATS = ['human', 'json', 'csv'] as const;
const COLUMNS = ['step', 'identity', 'name', 'type', 'revoke', 'revoked', 'ends', 'also loses', 'sources'];
const LEFT = ['stays', 'identity', 'name', 'reason'];

const rowOf = ({ step, identityId, displayName, revoke, ends, alsoLoses }: FixStep): string[] => [
  String(step),
  identityId,
  displayName ?? '',
  revoke.type,
  revoke.id,
  revoke.name,
  ends.map(({ policyId }) => policyId).join(' '),
  alsoLoses.map(({ id }) => id).join(' '),
  (revoke.sources ?? []).join(' '),
];

const leftRowOf = ({ policyId, identityId, displayName, reason }: UnsolvableViolation): string[] => [
  policyId,
  identityId,
  displayName ?? '',
  reason,
];

async function writeCsv({ context: { output } }: CommandParent, steps: AsyncIterable<FixStep>): Promise<ExitCode> {
  await output.write(csvRow(COLUMNS));
  for await (const step of steps) await output.write(csvRow(rowOf(step)));
  return EXIT.done;
}
