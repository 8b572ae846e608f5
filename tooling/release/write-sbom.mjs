// Writes the bill of materials (CycloneDX) of the package `access-admin`: all npm packages that it installs, and those that
// its build puts into its files. Usage: node tooling/release/write-sbom.mjs <file>
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node tooling/release/write-sbom.mjs <file>');
  process.exit(2);
}
const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const { packageManager } = manifestOf('.');

const service = list('--filter', 'access-admin...', '--prod');
// The command is published without dependencies: what is in its file is a development dependency, as its tools are.
const command = list('--filter', '@access-admin/cli');
const bundled = closure(
  command,
  importsOf('apps/cli/src').map((name) => `pkg:npm/${name.replace('@', '%40')}@`),
);

const { name, version, description, license } = manifestOf('apps/server');
const ref = `pkg:npm/${name}@${version}`;
const parts = new Map([...service.components, ...bundled].map((component) => [component['bom-ref'], component]));
parts.delete(ref);
const edges = new Map([...command.dependencies, ...service.dependencies].map((edge) => [edge.ref, edge]));
edges.set(ref, { ref, dependsOn: [...parts.keys()] });
writeFileSync(
  file,
  `${JSON.stringify(
    {
      ...service,
      metadata: {
        ...service.metadata,
        component: {
          type: 'application',
          name,
          version,
          description,
          purl: ref,
          'bom-ref': ref,
          licenses: [{ license: { id: license } }],
        },
      },
      components: [...parts.values()],
      dependencies: [...edges.values()]
        .filter((edge) => edge.ref === ref || parts.has(edge.ref))
        .map((edge) => ({ ...edge, dependsOn: (edge.dependsOn ?? []).filter((each) => parts.has(each)) })),
    },
    null,
    2,
  )}\n`,
);
console.log(`${file}: ${parts.size} components of ${name} ${version}`);

function list(...options) {
  const args = ['--yes', '--prefer-offline', packageManager, ...options, 'sbom', '--sbom-format', 'cyclonedx'];
  return JSON.parse(execFileSync('npx', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
}

/** The npm packages that the sources of a folder import. */
function importsOf(folder) {
  const sources = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const names = sources.flatMap((path) =>
    [...readFileSync(join(root, folder, path), 'utf8').matchAll(/from '((?:@[^/']+\/)?[^./'][^/']*)/g)].map(
      ([, each]) => each,
    ),
  );
  return [...new Set(names)].filter((each) => !each.startsWith('node:') && !each.startsWith('@access-admin/'));
}

/** The components that the service does not have and whose references begin so, with all that they depend on. */
function closure({ components, dependencies }, beginnings) {
  const known = new Set(service.components.map((each) => each['bom-ref']));
  const edges = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const wanted = components
    .map((each) => each['bom-ref'])
    .filter((each) => beginnings.some((text) => each.startsWith(text)) && !known.has(each));
  const found = new Set();
  while (wanted.length > 0) {
    const next = wanted.pop();
    if (found.has(next)) continue;
    found.add(next);
    wanted.push(...(edges.get(next) ?? []));
  }
  return components.filter((each) => found.has(each['bom-ref']));
}
