import type { AccessRef, NewAccess, SodInclude, ViolationContext } from '@access-admin/client';
import { itemsOf } from '../gates/violations-report.ts';
import { line } from '../output/escape.ts';
import { calledWrongly, EXIT, type ExitCode } from '../output/failure.ts';
import { formatTable } from '../output/table.ts';
import { accessRefOf } from '../rulebook/refs.ts';
import { withIdentity } from '../service/named-identity.ts';
import { type CommandParent, formatOf, RESULT_FORMATS } from './context.ts';
import { parseInstant } from './scan.ts';
import { withService } from './service.ts';

interface PredictOptions {
  readonly at?: string;
  readonly pending?: boolean;
  readonly failOn?: string;
}

interface CheckOptions extends PredictOptions {
  readonly wait?: boolean;
  readonly metadata?: readonly string[];
}

export const IDENTITY = 'the id, the uid or the externalId of the identity';
export const REFS = 'entitlement ids, ENTITLEMENT:id, ACCESS_PROFILE:id or ROLE:id';

/** `predict` and `check`: what access would violate. */
export function addPredict(parent: CommandParent): void {
  const { program, context, run } = parent;
  program
    .command('predict')
    .description('predict what access would violate')
    .argument('<identity>', IDENTITY)
    .argument('<refs...>', REFS)
    .option('--at <instant>', 'the only instant that counts')
    .option('--pending', 'count what is reserved as requested before')
    .option('--fail-on <gate>', 'exit with 3: `any` violation, or only a `new` one')
    .action(
      run(
        withService(parent, async ({ client }, given: string, refs: readonly string[], options: PredictOptions) => {
          const gate = parseGate(options.failOn);
          const found = await withIdentity(given, { client, ...context }, (identityId) =>
            client.sodViolations.predict(accessOf(identityId, refs, options), {
              ...context,
              include: includeOf(options),
            }),
          );
          return write(found, found.violationContexts, gate);
        }),
      ),
    );
  program
    .command('check')
    .description('start a check of what access would violate')
    .argument('<identity>', IDENTITY)
    .argument('<refs...>', REFS)
    .option('--at <instant>', 'the only instant that counts')
    .option('--pending', 'count what is reserved as requested before')
    .option('--wait', 'wait for its result')
    .option('--metadata <key=value...>', 'kept with the check')
    .option('--fail-on <gate>', 'with --wait, exit with 3: `any` violation, or only a `new` one')
    .action(
      run(
        withService(parent, async ({ client }, given: string, refs: readonly string[], options: CheckOptions) => {
          const gate = parseGate(options.failOn);
          if (gate !== null && !options.wait) throw calledWrongly('--fail-on needs --wait');
          const clientMetadata = metadataOf(options.metadata);
          const { requestId, created } = await withIdentity(given, { client, ...context }, (identityId) => {
            const metadata = clientMetadata === null ? {} : { clientMetadata };
            const include = includeOf(options);
            return client.sodViolations.check(
              { ...accessOf(identityId, refs, options), ...metadata },
              { ...context, include },
            );
          });
          if (!options.wait) {
            if (formatOf(parent, RESULT_FORMATS) === 'json')
              await context.output.write(`${JSON.stringify({ requestId, created })}\n`);
            else await context.output.show(`${requestId}\n`);
            return EXIT.done;
          }
          const check = await client.sodViolations.waitForCheck(requestId, context);
          const { violationContexts, message } = check.violationCheckResult;
          if (check.state === 'ERROR') context.output.note(line`check ${requestId} failed: ${message ?? ''}`);
          const code = await write(check, violationContexts ?? [], gate);
          return check.state === 'ERROR' ? EXIT.failed : code;
        }),
      ),
    );

  async function write(
    result: object,
    contexts: readonly ViolationContext[],
    gate: 'any' | 'new' | null,
  ): Promise<ExitCode> {
    const { output } = context;
    if (formatOf(parent, RESULT_FORMATS) === 'json') await output.write(`${JSON.stringify(result)}\n`);
    else if (contexts.length === 0) await output.show('no violation\n');
    else await output.show(formatContexts(contexts));
    const tripping = gate === 'new' ? contexts.filter(({ preexisting }) => !preexisting) : contexts;
    return gate !== null && tripping.length > 0 ? EXIT.gate : EXIT.done;
  }
}

/** Violations that access would cause, as a table. */
export function formatContexts(contexts: readonly ViolationContext[]): string {
  const rows = contexts.map(({ policy, preexisting, conflictingAccessCriteria, exception, exceptionEnds }) => [
    policy.level,
    policy.id,
    policy.name,
    preexisting ? 'deepened' : 'new',
    exception != null
      ? `until ${exception.end}`
      : exceptionEnds !== undefined
        ? `in part, until ${exceptionEnds}`
        : exception === null
          ? 'not covered'
          : '',
    itemsOf(conflictingAccessCriteria),
  ]);
  return formatTable([['level', 'policy', 'name', 'violation', 'exception', 'items'], ...rows]);
}

function parseGate(text: string | undefined): 'any' | 'new' | null {
  if (text === undefined || text === 'any' || text === 'new') return text ?? null;
  throw calledWrongly('--fail-on: must be any or new');
}

const includeOf = ({ pending = false }: PredictOptions): readonly SodInclude[] => (pending ? ['pending'] : []);

const accessOf = (identityId: string, refs: readonly string[], { at }: PredictOptions): NewAccess => {
  const instant = parseInstant(at);
  return {
    identityId,
    accessRefs: refs.map((ref): AccessRef => accessRefOf(ref)),
    ...(instant === null ? {} : { at: instant }),
  };
};

/** Metadata that is given as `key=value` pairs; null for none. */
export function metadataOf(pairs: readonly string[] | undefined): Readonly<Record<string, string>> | null {
  if (pairs === undefined) return null;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw calledWrongly(`--metadata ${pair}: must be key=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
