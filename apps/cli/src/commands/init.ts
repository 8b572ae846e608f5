import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import schema from '../../schema/rulebook.schema.json' with { type: 'json' };
import { writeWhole } from '../files/write-whole.ts';
import { line } from '../output/escape.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { type CommandParent, formatOf, RESULT_FORMATS } from './context.ts';

/** `init`: a rulebook to begin with. */
export function addInit(parent: CommandParent): void {
  const { program, context, run } = parent;
  program
    .command('init')
    .description('write a rulebook with two policies, a test and a CI workflow')
    .argument('[folder]', 'where to write', '.')
    .action(
      run(async (folder: string) => {
        const existing = Object.keys(FILES).find((file) => existsSync(join(folder, file)));
        if (existing !== undefined) throw new CommandFailure(`${join(folder, existing)} exists; nothing was written`);
        const files: string[] = [];
        for (const [file, text] of Object.entries(FILES)) {
          const path = join(folder, file);
          mkdirSync(dirname(path), { recursive: true });
          await writeWhole(path, text, { ...context, mode: null });
          files.push(path);
        }
        const { output } = context;
        if (formatOf(parent, RESULT_FORMATS) === 'json') await output.write(`${JSON.stringify({ files })}\n`);
        else await output.show(files.map((file) => line`${file}\n`).join(''));
        output.note(line`next: access-admin test ${join(folder, 'rulebook')}`);
        output.note(line`the workflow needs ${join(folder, 'access-admin-cli.tgz')}, the packed command`);
        return EXIT.done;
      }),
    );
}

const RULEBOOK = `# yaml-language-server: $schema=../rulebook.schema.json
policies:
  - id: payment-of-own-vendors
    name: Payment of own vendors
    level: CRITICAL
    description: One person could invent a vendor and pay it.
    advice: Let one department maintain vendors and another release payments.
    left: [vendor-create, vendor-edit]
    right: [payment-release]

  - id: production-database
    name: Administration of the production database
    level: HIGH
    description: Whoever administers the database can change any record.
    critical: [database-admin]

tests:
  - name: somebody who maintains vendors must not release payments
    given: {holds: [vendor-create]}
    request: [payment-release]
    expect: {violates: [payment-of-own-vendors]}

  - name: editing a vendor counts like creating one
    given: {holds: [payment-release, vendor-edit]}
    expect: {violates: [payment-of-own-vendors]}

  - name: vendors alone are in order
    given: {holds: [vendor-create, vendor-edit]}
    expect: {clean: true}

  - name: a database administrator is reported
    request: [database-admin]
    expect: {violates: [production-database]}
`;

const WORKFLOW = `name: Rulebook
on: [pull_request]
permissions:
  contents: read
jobs:
  rulebook:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
      # Packed from a checkout of access-admin; its page on rules as code says how.
      - run: npm install --global ./access-admin-cli.tgz
      - run: access-admin fmt rulebook --check
      - run: access-admin lint rulebook --format github --fail-on warning
      - run: access-admin test rulebook --format github --coverage
`;

const FILES: Readonly<Record<string, string>> = {
  'rulebook/finance.yaml': RULEBOOK,
  'rulebook.schema.json': `${JSON.stringify(schema, null, 2)}\n`,
  '.github/workflows/rulebook.yaml': WORKFLOW,
};
