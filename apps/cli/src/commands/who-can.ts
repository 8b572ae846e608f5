import type { AccessEntity, Evaluation } from '@access-admin/client';
import { line } from '../output/escape.ts';
import { CommandFailure, calledWrongly } from '../output/failure.ts';
import { accessRefOf } from '../rulebook/refs.ts';
import type { CommandParent } from './context.ts';
import { parseInstant } from './scan.ts';
import { allOf, withService, writeRows } from './service.ts';

interface SearchOptions {
  readonly action: string;
  readonly at?: string;
  readonly limit: string;
}

const TYPES = { ENTITLEMENT: 'entitlement', ACCESS_PROFILE: 'access_profile', ROLE: 'role' } as const;

/** `who-can` lists the identities that an item can be granted to without a violation, and `what-can` the items that an identity can be granted. */
export function addWhoCan(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { signal } = context;
  const withOptions = (name: string) =>
    program
      .command(name)
      .option(
        '--action <action>',
        '`request`: without a violation that no exception covers; `hold`: already',
        'request',
      )
      .option('--at <instant>', 'the only instant that counts')
      .option('--limit <number>', 'at most so many', '1000');
  withOptions('who-can')
    .description('list who could be given something without a violation, or who has it')
    .argument('<ref>', 'an entitlement id, ENTITLEMENT:id, ACCESS_PROFILE:id or ROLE:id')
    .action(
      run(
        withService(parent, async ({ client: { authzen } }, given: string, options: SearchOptions) => {
          const { type, id } = accessRefOf(given);
          const question = { ...questionOf(options), resource: { type: TYPES[type], id } };
          const { reason } = (await authzen.evaluate({ ...question, subject: NOBODY }, { signal })).context;
          if (reason.code === 'RESOURCE_NOT_FOUND') throw new CommandFailure(line`there is no ${type} ${id}`);
          const subject = { type: 'identity' };
          const found = authzen.searchSubjects({ ...question, subject }, { limit: PAGE, signal });
          return writeRows<AccessEntity>(parent, await allOf(found, Number(options.limit)), {
            identity: ({ id: each }) => each,
          });
        }),
      ),
    );
  withOptions('what-can')
    .description('list what a person could be given without a violation, or what the person has')
    .argument('<identity>', 'the id or the uid of the identity')
    .action(
      run(
        withService(parent, async ({ client: { authzen } }, given: string, options: SearchOptions) => {
          const question = questionOf(options);
          const subject = await findSubject(given);
          const found: AccessEntity[] = [];
          for (const type of Object.values(TYPES)) {
            const search = authzen.searchResources(
              { ...question, subject, resource: { type } },
              { limit: PAGE, signal },
            );
            found.push(...(await allOf(search, Number(options.limit) - found.length)));
          }
          return writeRows<AccessEntity>(parent, found, { type: ({ type }) => type, id: ({ id }) => id });

          async function findSubject(id: string): Promise<AccessEntity> {
            for (const type of ['identity', 'user']) {
              const asked = { subject: { type, id }, ...ANYTHING };
              const { reason } = (await authzen.evaluate(asked, { signal })).context;
              if (reason.code !== 'SUBJECT_NOT_FOUND') return asked.subject;
            }
            throw new CommandFailure(line`there is no identity with the id or the uid ${id}`);
          }
        }),
      ),
    );
}

const PAGE = 1_000;
/** No identity has this id. */
const NOBODY = { type: 'identity', id: ' ' };
/** What every subject can be asked. */
const ANYTHING = { action: { name: 'use' }, resource: { type: 'capability', id: 'ORG_ADMIN' } };

function questionOf({ action, at }: SearchOptions): Pick<Evaluation, 'action' | 'context'> {
  if (!['request', 'hold'].includes(action)) throw calledWrongly('--action: must be request or hold');
  const time = parseInstant(at);
  return { action: { name: action }, ...(time === null ? {} : { context: { time } }) };
}
