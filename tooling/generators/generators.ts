import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@access-admin/harness';
import { whyNoPython as findWhyNoPython, run, whyNot } from './tools.ts';

/** A generator of clients, and the program that calls a service with the client that it makes. */
export interface Generator {
  readonly name: string;
  /** Why this machine has no toolchain for it; null where it has one. */
  readonly whyMissing: () => string | null;
  /** Makes and compiles a client of the document. Returns the command that runs the program, and its folder. */
  readonly prepare: (document: string) => Promise<Program>;
}

export interface Program {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** What the generator has written of the document. */
  readonly output: string;
}

const OWN = join(ROOT, 'tooling/generators');
const PNPM = ['npx', '--yes', 'pnpm@12.21.0'] as const;

/** The generators, with copies of their programs in `folder`. Those of one toolchain share what it installs. */
export function openGenerators(folder: string): readonly Generator[] {
  for (const toolchain of ['npm', 'python', 'go', 'java'])
    cpSync(join(OWN, toolchain), join(folder, toolchain), { recursive: true });
  const npm = join(folder, 'npm');
  const python = join(folder, 'python');
  const go = join(folder, 'go');
  const java = join(folder, 'java');

  const installNpm = once(() => run([...PNPM, 'install', '--frozen-lockfile', '--prefer-offline'], { cwd: npm }));
  const installPython = once(async () => {
    await run(['python3', '-m', 'venv', 'venv'], { cwd: python });
    await run(['venv/bin/pip', 'install', '--quiet', '--require-hashes', '--requirement', 'requirements.txt'], {
      cwd: python,
    });
  });
  const node = (script: string, ...args: readonly string[]) =>
    run([process.execPath, join('node_modules', script), ...args], { cwd: npm });
  const venv = { PATH: `${join(python, 'venv/bin')}:${process.env['PATH']}` };
  const openapiGenerator = async (document: string, language: string, output: string, ...args: readonly string[]) => {
    await installPython();
    const command = [
      'openapi-generator-cli',
      'generate',
      '-g',
      language,
      '-i',
      document,
      '-o',
      output,
      ...args,
    ] as const;
    return run(['env', ...command], { cwd: folder, env: venv });
  };

  const whyNoPython = () => findWhyNoPython(folder);
  const whyNoJava = () => whyNot(['java', '-version'], folder);
  const whyNoGo = () => whyNot(['go', 'list', '-m'], go);

  const inTypeScript = async (name: string, output: string): Promise<Program> => {
    await node('typescript/bin/tsc', '--outDir', `dist-${name}`, '--project', `tsconfig.${name}.json`);
    return { command: [process.execPath, `dist-${name}/${name}.js`], cwd: npm, output };
  };
  const inGo = async (name: string, output: string): Promise<Program> => {
    await run(['go', 'build', '-o', `bin/${name}`, `./${name}`], { cwd: go });
    return { command: [`./bin/${name}`], cwd: go, output };
  };

  return [
    {
      name: 'openapi-typescript with openapi-fetch',
      whyMissing: () => null,
      async prepare(document) {
        await installNpm();
        const output = await node(
          'openapi-typescript/bin/cli.js',
          document,
          '--default-non-nullable',
          'false',
          '-o',
          'openapi-fetch/schema.d.ts',
        );
        return inTypeScript('openapi-fetch', output);
      },
    },
    {
      name: '@hey-api/openapi-ts',
      whyMissing: () => null,
      async prepare(document) {
        await installNpm();
        return inTypeScript('hey-api', await node('@hey-api/openapi-ts/bin/run.js', '-i', document, '-o', 'hey-api'));
      },
    },
    {
      name: 'openapi-python-client',
      whyMissing: whyNoPython,
      async prepare(document) {
        await installPython();
        const args = ['--config', 'config.yml', '--meta', 'none', '--output-path', 'access_admin_client'];
        const command = ['openapi-python-client', 'generate', '--path', document, ...args] as const;
        const output = await run(['env', ...command], { cwd: python, env: venv });
        await run(['venv/bin/python', '-m', 'compileall', '-q', 'access_admin_client'], { cwd: python });
        return { command: ['venv/bin/python', 'call.py'], cwd: python, output };
      },
    },
    {
      name: 'oapi-codegen',
      whyMissing: whyNoGo,
      async prepare(document) {
        mkdirSync(join(go, 'oapicodegen/api'));
        const args = ['-generate', 'types,client', '-package', 'api', '-o', 'oapicodegen/api/api.go'];
        return inGo('oapicodegen', await run(['go', 'tool', 'oapi-codegen', ...args, document], { cwd: go }));
      },
    },
    {
      name: 'ogen',
      whyMissing: whyNoGo,
      async prepare(document) {
        const args = ['--config', 'ogen.yml', '--target', 'ogen/api', '--package', 'api'];
        return inGo('ogen', await run(['go', 'tool', 'ogen', ...args, document], { cwd: go }));
      },
    },
    {
      name: 'openapi-generator for Go',
      whyMissing: () => whyNoGo() ?? whyNoJava() ?? whyNoPython(),
      async prepare(document) {
        const properties = 'packageName=api,withGoMod=false';
        const target = join(go, 'openapigenerator/api');
        return inGo(
          'openapigenerator',
          await openapiGenerator(document, 'go', target, `--additional-properties=${properties}`),
        );
      },
    },
    {
      name: 'openapi-generator for Java',
      whyMissing: () => whyNot(['mvn', '--version'], folder) ?? whyNot(['javac', '-version'], folder) ?? whyNoPython(),
      async prepare(document) {
        const client = join(java, 'client');
        const output = await openapiGenerator(document, 'java', client);
        const skipped = ['maven.test.skip', 'maven.javadoc.skip', 'maven.source.skip'].map((name) => `-D${name}=true`);
        await run(['mvn', '--quiet', '--batch-mode', ...skipped, 'package'], { cwd: client });
        return {
          command: ['java', '-cp', 'client/target/classes:client/target/lib/*', 'call.java'],
          cwd: java,
          output,
        };
      },
    },
  ];
}

/** What is made at its first use, and the same at each further one. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
