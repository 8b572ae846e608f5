import type { PolicyFinding } from '@access-admin/domain';
import { Option } from 'commander';
import * as v from 'valibot';
import { lint } from '../evaluation/lint.ts';
import { namedCatalogue } from '../evaluation/named-catalogue.ts';
import { readJson } from '../files/read-text.ts';
import { markdownTable } from '../gates/markdown.ts';
import type { GateFinding, GateReport } from '../gates/report.ts';
import { readCatalogue } from '../model/read.ts';
import { counted } from '../output/counted.ts';
import { line } from '../output/escape.ts';
import { CommandFailure } from '../output/failure.ts';
import { formatPosition } from '../output/problem.ts';
import { loadRulebook } from '../rulebook/load.ts';
import { type ResolvedPolicy, resolveRulebook } from '../rulebook/resolve.ts';
import type { CommandParent } from './context.ts';
import { endGate } from './gate.ts';

interface LintOptions {
  readonly model?: string;
  readonly baseline?: string;
  readonly failOn: 'error' | 'warning' | 'never';
}

/** `lint`: defects of the policies of a rulebook. */
export function addLint(parent: CommandParent): void {
  const { program, context, run } = parent;
  program
    .command('lint')
    .description('find defects of the policies of a rulebook')
    .argument('<rulebook>', 'a folder, or one file')
    .option(
      '--model <file>',
      'the access model (NDJSON): items must exist in it, and no role may violate a policy by itself',
    )
    .option('--baseline <file>', 'leave out the findings of an earlier `lint --format json`, wherever they now are')
    .addOption(
      new Option('--fail-on <severity>', 'exit with 3 on findings of this severity, or worse')
        .choices(['error', 'warning', 'never'])
        .default('error'),
    )
    .action(
      run(async (path: string, { model, baseline, failOn }: LintOptions) => {
        const rulebook = await context.blocking(() => loadRulebook(path));
        const ofModel = model === undefined ? null : await readCatalogue(model, context);
        const ids = ofModel === null ? [] : ofModel.entitlements.map(({ id }) => id);
        const { policies, findings } = await context.blocking(() => {
          const resolved = resolveRulebook(rulebook, { ids, unmatched: 'item' });
          // Without a model, everything that is named exists.
          const catalogue = ofModel ?? namedCatalogue(resolved.flatMap(({ items }) => [...items.keys()]));
          const found = lint(
            resolved.map(({ policy }) => policy),
            catalogue,
          );
          return { policies: resolved, findings: found };
        });
        const known = baseline === undefined ? [] : await context.blocking(() => readBaseline(baseline));
        const report = reportFindings(withoutBaseline(findings, known, context.output.note), policies);
        const counts = { error: 0, warning: 0, note: 0 };
        for (const { severity } of report.findings) counts[severity]++;
        const isTripped = counts.error > 0 ? failOn !== 'never' : counts.warning > 0 && failOn === 'warning';
        return endGate(parent, report, !isTripped);
      }),
    );

  function reportFindings(found: readonly PolicyFinding[], policies: readonly ResolvedPolicy[]): GateReport {
    const byId = new Map(policies.map((resolved) => [resolved.policy.id, resolved]));
    const placed = found.map((finding) => {
      const resolved = byId.get(finding.policyId);
      const pattern = finding.ref === null ? undefined : resolved?.unmatched.get(finding.ref.id);
      const at = (finding.ref === null ? undefined : resolved?.items.get(finding.ref.id)) ?? resolved?.at ?? null;
      const text =
        pattern === undefined
          ? finding.text
          : `Policy ${finding.policyId}: no entitlement of the model matches ${pattern}.`;
      return { finding: { ...finding, text }, at };
    });
    const findings = placed.map(
      ({ finding: { code, severity, text }, at }): GateFinding => ({
        rule: code,
        severity: severity === 'ERROR' ? 'error' : 'warning',
        text,
        at,
      }),
    );
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const summary = `${counted(policies.length, 'policy', 'policies')}: ${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}`;
    const { output } = context;
    return {
      command: 'lint',
      summary,
      findings,
      cases: policies.map(({ policy, at }) => {
        const texts = placed.filter(({ finding }) => finding.policyId === policy.id);
        const failure = texts.map(({ finding }) => `${finding.code}: ${finding.text}`).join('\n');
        return { name: policy.id, group: 'lint', at, failure: failure === '' ? null : failure };
      }),
      human: () =>
        findings
          .map(({ rule, severity, text, at }) => {
            const place = at === null ? '' : `${formatPosition(at)}: `;
            const what = output.style(severity === 'error' ? 'red' : 'yellow', `${severity} ${rule}`);
            return line`${place}${what} ${text}\n`;
          })
          .join(''),
      markdown: () =>
        findings.length === 0
          ? ''
          : markdownTable([
              ['severity', 'code', 'place', 'finding'],
              ...findings.map(({ rule, severity, text, at }) => [
                severity,
                rule,
                at === null ? '' : `${at.file}:${at.line}`,
                text,
              ]),
            ]),
      json: () => [
        `${JSON.stringify({
          policies: policies.length,
          errors,
          warnings: findings.length - errors,
          findings: placed.map(({ finding, at }) => ({
            ...finding,
            file: at?.file ?? null,
            line: at?.line ?? null,
            column: at?.column ?? null,
          })),
        })}\n`,
      ],
    };
  }
}

const baselineFile = v.object({
  findings: v.array(
    v.object({
      code: v.string(),
      policyId: v.string(),
      ref: v.nullable(v.object({ type: v.string(), id: v.string() })),
      related: v.array(v.object({ id: v.string() })),
    }),
  ),
});

type KnownFinding = v.InferOutput<typeof baselineFile>['findings'][number];

/** The findings of an earlier lint. Throws a `CommandFailure` for a file of another kind. */
function readBaseline(path: string): readonly KnownFinding[] {
  const parsed = v.safeParse(baselineFile, readJson(path));
  if (parsed.success) return parsed.output.findings;
  const [issue] = parsed.issues;
  throw new CommandFailure(
    `${path}: not the result of \`access-admin lint --format json\`: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`,
  );
}

/** The findings that a baseline lacks; what it has and is no longer found is noted. */
function withoutBaseline(
  found: readonly PolicyFinding[],
  baseline: readonly KnownFinding[],
  note: (text: string) => void,
): readonly PolicyFinding[] {
  const known = new Set(baseline.map(keyOf));
  const fresh = found.filter((finding) => !known.has(keyOf(finding)));
  const remaining = new Set(found.map(keyOf));
  const gone = baseline.filter((finding) => !remaining.has(keyOf(finding))).length;
  if (baseline.length > 0)
    note(`baseline: ${counted(found.length - fresh.length, 'finding')} left out, ${gone} no longer found`);
  return fresh;
}

/** What makes two findings the same: not where they are, nor how they are worded. */
const keyOf = ({ code, policyId, ref, related }: KnownFinding | PolicyFinding): string =>
  JSON.stringify([code, policyId, ref?.type, ref?.id, related.map((each) => each.id)]);
