import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The checkout, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const NOT_OURS = new Set(['.git', '.turbo', 'coverage', 'dist', 'node_modules', 'var']);
const NOT_OURS_ENDINGS = ['.log', '.tgz'];

/** The path of every file that `.gitignore` does not exclude, relative to the root. Works without git. */
export const FILES: readonly string[] = filesBelow('').sort();

/** The text of a file of the repository. */
export const read = (path: string): string => readFileSync(ROOT + path, 'utf8');

/** The parts of a package manifest that the checks read. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The workspace packages by their folders. */
export const PACKAGES: ReadonlyMap<string, Manifest> = new Map(
  FILES.filter((path) => /^(packages|apps|tooling)\/[^/]+\/package\.json$/.test(path)).map((path) => [
    path.slice(0, -'/package.json'.length),
    JSON.parse(read(path)),
  ]),
);

/** Sources of packages and apps, without tests. */
export const SOURCES = FILES.filter((path) => /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path) && !isTest(path));

/** Every hand-written module, tooling included, without tests. */
export const MODULES = FILES.filter((path) => /\.(tsx?|mjs)$/.test(path) && !isTest(path));

function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || /^(packages|apps)\/[^/]+\/test\//.test(path);
}

const IMPORT = /^(?:import|export)\b[^'";]*?\bfrom '([^'\n]+)'|^import '([^'\n]+)'|\bimport\('([^'\n]+)'\)/gm;

/** The specifiers that a module imports or re-exports, type-only ones included. */
export const importsOf = (path: string): readonly string[] =>
  [...read(path).matchAll(IMPORT)].flatMap(([, from, effect, dynamic]) => from ?? effect ?? dynamic ?? []);

/** The lines that match a pattern, as `path:line: the line`. */
export function findLines(paths: readonly string[], pattern: RegExp): readonly string[] {
  return paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(ROOT + folder).flatMap((name) => {
    const path = folder + name;
    if (NOT_OURS.has(name) || NOT_OURS_ENDINGS.some((ending) => name.endsWith(ending))) return [];
    return statSync(ROOT + path).isDirectory() ? filesBelow(`${path}/`) : [path];
  });
}
