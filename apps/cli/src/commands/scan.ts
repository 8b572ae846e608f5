import { GATE_FORMATS, type GateFormat } from '../gates/report.ts';
import { createViolationLog, type ViolationLog } from '../gates/violation-log.ts';
import { parseViolationGate, passesGate, reportViolations } from '../gates/violations-report.ts';
import { counted } from '../output/counted.ts';
import { line } from '../output/escape.ts';
import { calledWrongly, type ExitCode } from '../output/failure.ts';
import type { Position } from '../output/problem.ts';
import { evaluateModel } from '../population/evaluate-model.ts';
import { loadRulebook, type Rulebook } from '../rulebook/load.ts';
import { type ResolvedPolicy, resolveRulebook } from '../rulebook/resolve.ts';
import { type CommandParent, formatOf } from './context.ts';
import { endGate } from './gate.ts';

interface ScanOptions {
  readonly local?: string;
  readonly at?: string;
  readonly failOn?: string;
}

/** `scan --local`: finds the identities of a model whose access violates policies of a rulebook. */
export function addScan(parent: CommandParent): void {
  const { program, context, run } = parent;
  program
    .command('scan')
    .description('find everybody who violates the policies of a rulebook')
    .argument('<rulebook>', 'a folder, or one file')
    .requiredOption('--local <model>', 'the access model (NDJSON, as `export` and `convert` write it)')
    .option('--at <instant>', 'the only instant that counts; every instant from now on if left out')
    .option('--fail-on <gate>', 'exit with 3 on violations: any, or any:LEVEL for that level and above')
    .action(
      run(async (path: string, { local = '', at, failOn }: ScanOptions): Promise<ExitCode> => {
        const gate = failOn === undefined ? null : parseViolationGate(failOn, 'any');
        const time = { nowMs: context.now().getTime(), at: parseInstant(at) };
        const format = formatOf<GateFormat>(parent, GATE_FORMATS);
        const rulebook = await context.blocking(() => loadOnce(path));
        let policies: readonly ResolvedPolicy[] = [];
        const places = rulebook.places;
        using log = createViolationLog((id) => places.get(id) ?? null, format === 'json');
        const { identities, violating } = await evaluateModel(local, {
          ...context,
          log,
          begin: (catalogue) => {
            const ids = catalogue.entitlements.map(({ id }) => id);
            policies = resolveRulebook(rulebook.take(), { ids, unmatched: 'item' });
            return { policies: policies.map(({ policy }) => policy), before: null, time };
          },
        });
        noteUnmatched(policies, context.output.note);
        const summary = summarize({ identities, violating, log });
        const facts = { identities, violating, policies: policies.length };
        const report = reportViolations({ command: 'scan', summary, log, output: context.output, facts });
        return endGate(parent, report, passesGate(gate, log, 'same'));
      }),
    );
}

/**
 * Loads a rulebook that is used once, as a rule, before much else is read: its documents, which know the place of everything, would be
 * in memory all the time, and slow everything down.
 */
export function loadOnce(path: string): {
  readonly places: ReadonlyMap<string, Position>;
  readonly take: () => Rulebook;
} {
  let loaded: Rulebook | null = loadRulebook(path);
  return {
    places: new Map(loaded.policies.map(({ policy, at }) => [policy.id, at])),
    take: () => {
      const taken = loaded ?? loadRulebook(path);
      loaded = null;
      return taken;
    },
  };
}

const summarize = ({ identities, violating, log }: { identities: number; violating: number; log: ViolationLog }) => {
  const { same } = log.totals();
  const people = counted(identities, 'identity', 'identities');
  const found = `${counted(same, 'violation')} of ${counted(log.policies().length, 'policy', 'policies')}`;
  return `${people}, ${violating.toLocaleString('en-US')} of them with violations: ${found}`;
};

/** The instant of `--at`. Throws a `CommandFailure` where it is none. */
export function parseInstant(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(Date.parse(text)))
    throw calledWrongly('--at: must be ISO 8601 with an offset, such as 2027-01-01T00:00:00Z');
  return text;
}

/** Notes patterns that match nothing: their policies may be without effect. */
export function noteUnmatched(policies: readonly ResolvedPolicy[], note: (text: string) => void): void {
  const patterns = new Set(policies.flatMap(({ unmatched }) => [...unmatched.values()]));
  if (patterns.size > 0) note(line`no entitlement of the model matches ${[...patterns].sort().join(', ')}`);
}
