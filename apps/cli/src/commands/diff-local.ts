import type { Catalogue } from '@access-admin/domain';
import { createEvaluator, UnknownAccess, type ViolatedPolicy } from '../evaluation/evaluate.ts';
import { GATE_FORMATS, type GateFormat } from '../gates/report.ts';
import { createViolationLog, type ViolationLog } from '../gates/violation-log.ts';
import { passesGate, reportViolations, type ViolationGate } from '../gates/violations-report.ts';
import { readModel } from '../model/read.ts';
import { CommandFailure, type ExitCode } from '../output/failure.ts';
import { formatProblem, type Problem } from '../output/problem.ts';
import type { Rulebook } from '../rulebook/load.ts';
import { type ResolvedPolicy, resolveRulebook } from '../rulebook/resolve.ts';
import { type CommandParent, formatOf } from './context.ts';
import { endGate } from './gate.ts';
import { loadOnce, noteUnmatched } from './scan.ts';

/** What `diff --local` compares. */
export interface LocalDiff {
  readonly model: string;
  readonly before: string;
  readonly after: string;
  readonly at: string | null;
  readonly gate: ViolationGate | null;
}

/** Compares the violations of two rulebooks on the access of a model. Only policies that differ are evaluated. */
export async function diffLocally(parent: CommandParent, diff: LocalDiff): Promise<ExitCode> {
  const { context } = parent;
  const time = { nowMs: context.now().getTime(), at: diff.at };
  const rulebooks = { before: loadOnce(diff.before), after: loadOnce(diff.after) };
  const places = new Map([...rulebooks.before.places, ...rulebooks.after.places]);
  const format = formatOf<GateFormat>(parent, GATE_FORMATS);
  using log = createViolationLog((id) => places.get(id) ?? null, format === 'json');
  let changes: PolicyChanges = { added: [], changed: [], removed: [] };
  let identities = 0;
  const unknown: Problem[] = [];
  await readModel(
    diff.model,
    (catalogue) => {
      // The model may be read again.
      identities = 0;
      unknown.length = 0;
      log.clear();
      const compared = compareRulebooks({ before: rulebooks.before.take(), after: rulebooks.after.take() }, catalogue);
      changes = compared.changes;
      noteUnmatched(compared.after, context.output.note);
      const [before, after] = [compared.before, compared.after].map((policies) =>
        createEvaluator(
          policies.map(({ policy }) => policy),
          catalogue,
        ),
      );
      return ({ id, displayName, access }, line) => {
        identities++;
        try {
          const earlier = before?.violatedBy(access, time) ?? [];
          const later = after?.violatedBy(access, time) ?? [];
          addChanges(log, { identityId: id, displayName }, earlier, later);
        } catch (error) {
          if (!(error instanceof UnknownAccess)) throw error;
          unknown.push({ at: { file: diff.model, line, column: 1 }, text: error.message });
          if (unknown.length >= PROBLEMS_MAX) throw new CommandFailure(unknown.map(formatProblem).join('\n'));
        }
      };
    },
    context,
  );
  if (unknown.length > 0) throw new CommandFailure(unknown.map(formatProblem).join('\n'));
  const summary = summarizeChanges(changes, log.totals());
  const report = reportViolations({
    command: 'diff',
    summary,
    log,
    output: context.output,
    facts: { identities, ...changes },
  });
  return endGate(parent, report, passesGate(diff.gate, log, 'new'));
}

const PROBLEMS_MAX = 100;

/** The ids of the policies that differ. */
export interface PolicyChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The outcome of a comparison in a sentence. */
export function summarizeChanges(
  { added, changed, removed }: PolicyChanges,
  totals: { readonly new: number; readonly same: number; readonly gone: number },
): string {
  const amount = (count: number) => count.toLocaleString('en-US');
  return `policies: ${amount(added.length)} added, ${amount(changed.length)} changed, ${amount(removed.length)} removed; violations: ${amount(totals.new)} new, ${amount(totals.same)} same, ${amount(totals.gone)} gone`;
}

function compareRulebooks(rulebooks: { readonly before: Rulebook; readonly after: Rulebook }, catalogue: Catalogue) {
  const ids = catalogue.entitlements.map(({ id }) => id);
  const resolve = (rulebook: Rulebook) =>
    new Map(resolveRulebook(rulebook, { ids, unmatched: 'item' }).map((resolved) => [resolved.policy.id, resolved]));
  const before = resolve(rulebooks.before);
  const after = resolve(rulebooks.after);
  const isSame = (one: ResolvedPolicy | undefined, other: ResolvedPolicy | undefined) =>
    JSON.stringify(one?.policy) === JSON.stringify(other?.policy);
  const differing = [...new Set([...before.keys(), ...after.keys()])]
    .filter((id) => !isSame(before.get(id), after.get(id)))
    .sort();
  const changes: PolicyChanges = {
    added: differing.filter((id) => !before.has(id)),
    changed: differing.filter((id) => before.has(id) && after.has(id)),
    removed: differing.filter((id) => !after.has(id)),
  };
  const of = (policies: ReadonlyMap<string, ResolvedPolicy>) => differing.flatMap((id) => policies.get(id) ?? []);
  return { changes, before: of(before), after: of(after) };
}

function addChanges(
  log: ViolationLog,
  who: { readonly identityId: string; readonly displayName: string },
  earlier: readonly ViolatedPolicy[],
  later: readonly ViolatedPolicy[],
): void {
  if (earlier.length + later.length === 0) return;
  const had = new Set(earlier.map(({ policy }) => policy.id));
  const has = new Set(later.map(({ policy }) => policy.id));
  const add = (change: 'new' | 'same' | 'gone', { policy, conflictingAccessCriteria }: ViolatedPolicy) =>
    log.add({
      change,
      ...who,
      policyId: policy.id,
      policyName: policy.name,
      level: policy.level,
      conflictingAccessCriteria,
    });
  for (const violated of later) add(had.has(violated.policy.id) ? 'same' : 'new', violated);
  for (const violated of earlier) if (!has.has(violated.policy.id)) add('gone', violated);
}
