import { type AccessAdminClient, filter } from '@access-admin/client';
import * as v from 'valibot';
import { readJson } from '../files/read-text.ts';
import type { LoggedViolation } from '../gates/violation-log.ts';
import { CommandFailure } from '../output/failure.ts';
import type { PolicyChange } from './compare.ts';

/** A change of policies that was made for one policy-set version. */
export interface Plan {
  readonly format: typeof PLAN_FORMAT;
  /** The service that it was made for. */
  readonly url: string;
  readonly created: string;
  readonly policySetVersion: number;
  readonly add: readonly PolicyChange[];
  readonly change: readonly PolicyChange[];
  /** Policies that the files lack: deleted only with `--prune`. */
  readonly remove: readonly string[];
  /** The exceptions that cover a violation now, and become void. */
  readonly exceptions: readonly EndedException[];
  /** What it would do to violations, by the dry-run that it is bound to. */
  readonly violations: {
    readonly new: number;
    readonly same: number;
    readonly gone: number;
    /** The first that begin or end. */
    readonly named: readonly LoggedViolation[];
  };
}

/** An exception to whose policy it no longer applies. */
export interface EndedException {
  readonly id: string;
  readonly policyId: string;
  readonly identityId: string;
  readonly displayName: string | null;
  readonly end: string;
}

/** The exceptions of policies that cover a violation, as the register has them. */
export async function findCovering(
  policyIds: readonly string[],
  client: AccessAdminClient,
  signal: AbortSignal,
): Promise<readonly EndedException[]> {
  const found: EndedException[] = [];
  for (const policyId of policyIds) {
    const filters = filter`policyId eq ${policyId} and status eq ${'Mitigated'}`;
    for await (const { exception, target } of client.violations.list({ filters, signal }))
      if (exception !== null)
        found.push({ id: exception.id, policyId, identityId: target.id, displayName: target.name, end: exception.end });
  }
  return found;
}

/** The kind of file. */
export const PLAN_FORMAT = 'access-admin plan 1';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const policy = v.looseObject({ id: v.string(), name: v.string(), conflictingAccessCriteria: v.looseObject({}) });
const change = v.looseObject({ policy });
const planFile = v.strictObject({
  format: v.literal(PLAN_FORMAT),
  url: v.string(),
  created: v.string(),
  policySetVersion: count,
  add: v.array(change),
  change: v.array(change),
  remove: v.array(v.string()),
  exceptions: v.array(v.looseObject({ id: v.string() })),
  violations: v.looseObject({ new: count, same: count, gone: count }),
});

/** Reads a plan. Throws a `CommandFailure` for a file of another kind. */
export function readPlan(path: string): Plan {
  const parsed = v.safeParse(planFile, readJson(path));
  if (parsed.success) return parsed.output as unknown as Plan;
  const [issue] = parsed.issues;
  throw new CommandFailure(
    `${path}: not a plan of \`access-admin plan\`: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`,
  );
}
