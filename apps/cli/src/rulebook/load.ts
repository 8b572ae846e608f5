import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readText, reasonOf } from '../files/read-text.ts';
import { CommandFailure } from '../output/failure.ts';
import { formatPosition, formatProblem, type Problem } from '../output/problem.ts';
import { type ParsedFile, type PlacedPolicy, type PlacedTest, parseRulebookFile } from './parse.ts';

/** A rulebook: the files of a folder. */
export interface Rulebook {
  readonly files: readonly ParsedFile[];
  readonly policies: readonly PlacedPolicy[];
  readonly tests: readonly PlacedTest[];
}

/** The YAML files of a rulebook, in order of their paths: of a folder and the folders in it, or one file. */
export function rulebookPaths(path: string): readonly string[] {
  const paths = yamlBelow(path).sort();
  if (paths.length === 0) throw new CommandFailure(`${path}: there is no .yaml file`);
  return paths;
}

/** Loads a rulebook. Throws a `CommandFailure` that names each fault with file, line and column. */
export function loadRulebook(path: string): Rulebook {
  const files = rulebookPaths(path).map((each) => parseRulebookFile(each, readText(each)));
  const rulebook = {
    files,
    policies: files.flatMap((file) => file.policies),
    tests: files.flatMap((file) => file.tests),
  };
  const problems = [...files.flatMap((file) => file.problems), ...repeatedIds(rulebook), ...unknownPolicies(rulebook)];
  if (problems.length > 0) throw new CommandFailure(problems.map(formatProblem).join('\n'));
  return rulebook;
}

function yamlBelow(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      if (entry.isDirectory()) return yamlBelow(join(path, entry.name));
      return /\.ya?ml$/.test(entry.name) ? [join(path, entry.name)] : [];
    });
  } catch (error) {
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  }
}

function repeatedIds({ policies }: Rulebook): Problem[] {
  const first = new Map<string, PlacedPolicy>();
  return policies.flatMap((placed) => {
    const { id } = placed.policy;
    const earlier = first.get(id);
    if (earlier === undefined) {
      first.set(id, placed);
      return [];
    }
    return [
      {
        at: placed.positionOf(['id']),
        text: `the id ${id} is that of the policy at ${formatPosition(earlier.at)} too`,
      },
    ];
  });
}

function unknownPolicies({ policies, tests }: Rulebook): Problem[] {
  const known = new Set(policies.map(({ policy }) => policy.id));
  return tests.flatMap(({ test, positionOf }) =>
    (['violates', 'existing'] as const).flatMap((list) =>
      (test.expect[list] ?? []).flatMap((id, index) =>
        known.has(id)
          ? []
          : [{ at: positionOf(['expect', list, index]), text: `there is no policy ${id} in this rulebook` }],
      ),
    ),
  );
}
