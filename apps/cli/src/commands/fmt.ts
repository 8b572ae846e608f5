import { statSync } from 'node:fs';
import { readText } from '../files/read-text.ts';
import { writeWhole } from '../files/write-whole.ts';
import { line } from '../output/escape.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { formatProblem } from '../output/problem.ts';
import { formatRulebook } from '../rulebook/format.ts';
import { rulebookPaths } from '../rulebook/load.ts';
import { parseRulebookFile } from '../rulebook/parse.ts';
import { type CommandParent, formatOf, RESULT_FORMATS } from './context.ts';

/** `fmt`: rulebook files in their stable form. */
export function addFmt(parent: CommandParent): void {
  const { program, context, run } = parent;
  program
    .command('fmt')
    .description('write the files of a rulebook in a stable order')
    .argument('<rulebook>', 'a folder, or one file')
    .option('--check', 'change nothing; fail where a file would change')
    .action(
      run(async (path: string, { check = false }: { readonly check?: boolean }) => {
        const format = formatOf(parent, RESULT_FORMATS);
        const changed: string[] = [];
        for (const file of rulebookPaths(path)) {
          const { text, formatted } = await context.blocking(() => formatFile(file));
          if (formatted === text) continue;
          changed.push(file);
          if (!check) await writeWhole(file, formatted, { ...context, mode: statSync(file).mode });
        }
        if (format === 'json') await context.output.write(`${JSON.stringify({ changed })}\n`);
        else await context.output.show(changed.map((file) => line`${file}\n`).join(''));
        return check && changed.length > 0 ? EXIT.failed : EXIT.done;
      }),
    );
}

function formatFile(file: string) {
  const text = readText(file);
  const { problems } = parseRulebookFile(file, text);
  if (problems.length > 0) throw new CommandFailure(problems.map(formatProblem).join('\n'));
  return { text, formatted: formatRulebook(text) };
}
