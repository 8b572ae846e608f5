import type { Catalogue } from '@access-admin/domain';
import { GATE_FORMATS, type GateFormat } from '../gates/report.ts';
import { createViolationLog } from '../gates/violation-log.ts';
import { passesGate, reportViolations, type ViolationGate } from '../gates/violations-report.ts';
import type { ExitCode } from '../output/failure.ts';
import { evaluateModel } from '../population/evaluate-model.ts';
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
  const rulebooks = await context.blocking(() => ({ before: loadOnce(diff.before), after: loadOnce(diff.after) }));
  const places = new Map([...rulebooks.before.places, ...rulebooks.after.places]);
  const format = formatOf<GateFormat>(parent, GATE_FORMATS);
  using log = createViolationLog((id) => places.get(id) ?? null, format === 'json');
  let changes: PolicyChanges = { added: [], changed: [], removed: [] };
  const { identities } = await evaluateModel(diff.model, {
    ...context,
    log,
    begin: (catalogue) => {
      const compared = compareRulebooks({ before: rulebooks.before.take(), after: rulebooks.after.take() }, catalogue);
      changes = compared.changes;
      noteUnmatched(compared.after, context.output.note);
      const policiesOf = (resolved: readonly ResolvedPolicy[]) => resolved.map(({ policy }) => policy);
      return { policies: policiesOf(compared.after), before: policiesOf(compared.before), time };
    },
  });
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
