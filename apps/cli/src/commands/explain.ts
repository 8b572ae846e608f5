import { filter, type SodViolation } from '@access-admin/client';
import { counted } from '../output/counted.ts';
import { line } from '../output/escape.ts';
import { EXIT } from '../output/failure.ts';
import { formatTable } from '../output/table.ts';
import { withIdentity } from '../service/named-identity.ts';
import { type CommandParent, formatOf, RESULT_FORMATS } from './context.ts';
import { allOf, withService } from './service.ts';

/** `explain`: what an identity holds, what of it is in conflict, and by what it holds that. */
export function addExplain(parent: CommandParent): void {
  const { program, context, run } = parent;
  program
    .command('explain')
    .description('explain the violations of an identity: the policies, the items, and by what it holds them')
    .argument('<identity>', 'the id, the uid or the externalId of the identity')
    .action(
      run(
        withService(parent, async ({ client }, given: string) => {
          const { output } = context;
          const identity = await withIdentity(given, { client, ...context }, (id) =>
            client.identities.get(id, context),
          );
          const identityId = identity.id;
          const filters = filter`targetId eq ${identityId} and status in ${['Open', 'Mitigated']}`;
          const violations = await allOf(client.violations.list({ filters, signal: context.signal }));
          const items = [...new Set(violations.flatMap((violation) => itemIds(violation)))];
          const paths = new Map<string, readonly string[]>();
          for (const id of items) paths.set(id, await pathsTo(id));
          if (formatOf(parent, RESULT_FORMATS) === 'json') {
            const via = Object.fromEntries(paths);
            await output.write(`${JSON.stringify({ identity, violations, via })}\n`);
            return EXIT.done;
          }
          await output.show(
            line`${identity.displayName ?? ''} (${identity.id}): ${counted(violations.length, 'violation')}\n`,
          );
          for (const violation of violations) {
            const { policy, level, status, exception } = violation;
            const until = exception === null ? '' : ` until ${exception.end}`;
            const head = output.style('bold', `${level} ${policy.id} ${policy.name}`);
            await output.show(line`\n${head} ${status}${until}\n`);
            const rows = violation.conflictingCriteria.flatMap(({ name, conflictingItems }) =>
              conflictingItems.map((item) => [
                `  ${name ?? ''}`,
                item.id,
                item.name ?? '',
                (paths.get(item.id) ?? []).join('; ') || 'directly',
              ]),
            );
            await output.show(formatTable([['  side', 'item', 'name', 'held by'], ...rows]));
          }
          return EXIT.done;

          /** The assignments by which the identity holds an entitlement. */
          async function pathsTo(id: string): Promise<readonly string[]> {
            const found: string[] = [];
            for (const { type, id: held, source } of identity.assignments)
              if (type === 'ENTITLEMENT' ? held === id : (await contentOf(type, held)).has(id)) {
                const by = type === 'ENTITLEMENT' ? 'directly' : `${type}:${held}`;
                found.push(source === undefined ? by : `${by} in ${source}`);
              }
            return found;
          }

          async function contentOf(type: 'ROLE' | 'ACCESS_PROFILE', id: string): Promise<ReadonlySet<string>> {
            const key = `${type}:${id}`;
            const known = contents.get(key);
            if (known !== undefined) return known;
            const content = new Set<string>();
            contents.set(key, content);
            if (type === 'ACCESS_PROFILE') {
              const profile = await client.accessProfiles.get(id, context);
              for (const entitlement of profile.entitlements) content.add(entitlement.id);
              return content;
            }
            const role = await client.roles.get(id, context);
            for (const entitlement of role.entitlements) content.add(entitlement.id);
            for (const profile of role.accessProfiles)
              for (const entitlement of await contentOf('ACCESS_PROFILE', profile.id)) content.add(entitlement);
            return content;
          }
        }),
      ),
    );
  const contents = new Map<string, Set<string>>();
}

const itemIds = ({ conflictingCriteria }: SodViolation): readonly string[] =>
  conflictingCriteria.flatMap(({ conflictingItems }) => conflictingItems.map(({ id }) => id));
