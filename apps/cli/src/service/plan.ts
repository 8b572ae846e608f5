import type { SodPolicyInput } from '@access-admin/client';
import * as v from 'valibot';
import { readJson } from '../files/read-text.ts';
import { CommandFailure } from '../output/failure.ts';

/** A change of policies that was made for one policy-set version. */
export interface Plan {
  readonly format: typeof PLAN_FORMAT;
  /** The service that it was made for. */
  readonly url: string;
  readonly created: string;
  readonly policySetVersion: number;
  readonly add: readonly SodPolicyInput[];
  readonly change: readonly SodPolicyInput[];
  /** Policies that the files lack: deleted only with `--prune`. */
  readonly remove: readonly string[];
  /** What it would do to violations, by the dry-run that it is bound to. */
  readonly violations: { readonly new: number; readonly same: number; readonly gone: number };
}

/** The kind of file. */
export const PLAN_FORMAT = 'access-admin plan 1';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const policy = v.looseObject({ id: v.string(), name: v.string(), conflictingAccessCriteria: v.looseObject({}) });
const planFile = v.strictObject({
  format: v.literal(PLAN_FORMAT),
  url: v.string(),
  created: v.string(),
  policySetVersion: count,
  add: v.array(policy),
  change: v.array(policy),
  remove: v.array(v.string()),
  violations: v.strictObject({ new: count, same: count, gone: count }),
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
