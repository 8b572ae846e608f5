import { SOD_POLICY_LEVELS, type SodPolicyLevel } from '@access-admin/domain';
import { calledWrongly } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { type Cell, formatTable } from '../output/table.ts';
import { markdownTable } from './markdown.ts';
import type { GateCase, GateFinding, GateReport } from './report.ts';
import type { LoggedCriteria, LoggedViolation, PolicyCounts, ViolationLog } from './violation-log.ts';

/** What a report of violations is about. */
export interface ViolationsReport {
  readonly command: 'scan' | 'diff';
  readonly summary: string;
  readonly log: ViolationLog;
  readonly output: Output;
  /** Further facts of the JSON document, before the violations. */
  readonly facts: object;
}

/** The report of a scan, whose violations all exist, or of a change of policies. */
export function reportViolations({ command, summary, log, output, facts }: ViolationsReport): GateReport {
  const policies = log.policies();
  const change = command === 'scan' ? 'same' : 'new';
  const concerned = policies.filter((policy) => policy[change] > 0);
  return {
    command,
    summary,
    findings: concerned.map((policy): GateFinding => {
      const text = describePolicy(
        policy,
        log.namedOf(policy.policyId).filter((each) => each.change === change),
        command,
      );
      return { rule: policy.policyId, severity: severityOf(policy.level), text, at: policy.at };
    }),
    cases: policies.map((policy): GateCase => {
      const people = log.namedOf(policy.policyId).filter((each) => each.change === change);
      const failure = policy[change] === 0 ? null : describePolicy(policy, people, command);
      return { name: `${policy.policyId} ${policy.name}`, group: `${command} ${policy.level}`, at: policy.at, failure };
    }),
    human: () => {
      if (policies.length === 0) return '';
      const [head, ...rows] = policyRows(policies, command);
      const people = log.named();
      const styled = rows.map(([level = '', ...rest]): Cell[] => [output.style(levelStyle(level), level), ...rest]);
      return `\n${formatTable([head ?? [], ...styled])}\n${formatTable(peopleRows(people, command))}${moreOf(log, people)}`;
    },
    markdown: () => {
      if (policies.length === 0) return '';
      const people = log.named();
      const more = moreOf(log, people);
      return `${markdownTable(policyRows(policies, command))}\n${markdownTable(peopleRows(people, command))}${more === '' ? '' : `\n${more}`}`;
    },
    json: async function* () {
      const byPolicy = policies.map(({ at, ...counts }) => ({
        ...counts,
        file: at?.file ?? null,
        line: at?.line ?? null,
      }));
      yield `${JSON.stringify({ ...facts, summary: { ...log.totals(), byPolicy } }).slice(0, -1)},"violations":[`;
      yield* log.json();
      yield ']}\n';
    },
  };
}

const severityOf = (level: SodPolicyLevel) =>
  level === 'CRITICAL' || level === 'HIGH' ? 'error' : level === 'MEDIUM' ? 'warning' : 'note';
const levelStyle = (level: string) => (level === 'CRITICAL' || level === 'HIGH' ? 'red' : 'yellow');

function describePolicy(policy: PolicyCounts, people: readonly LoggedViolation[], command: 'scan' | 'diff'): string {
  const count = command === 'scan' ? policy.same : policy.new;
  const names = people.map(({ displayName, identityId }) => `${displayName} (${identityId})`);
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  const verb = command === 'scan' ? (count === 1 ? 'violates' : 'violate') : 'would newly violate';
  return `${count} ${count === 1 ? 'identity' : 'identities'} ${verb} ${policy.level} policy ${policy.policyId} ${policy.name}: ${names.join(', ')}${more}`;
}

function policyRows(policies: readonly PolicyCounts[], command: 'scan' | 'diff'): string[][] {
  if (command === 'scan')
    return [
      ['level', 'policy', 'name', 'violations'],
      ...policies.map(({ level, policyId, name, same }) => [level, policyId, name, String(same)]),
    ];
  return [
    ['level', 'policy', 'name', 'new', 'same', 'gone'],
    ...policies.map((each) => [
      each.level,
      each.policyId,
      each.name,
      String(each.new),
      String(each.same),
      String(each.gone),
    ]),
  ];
}

/** People with what they violate, and what a change does to it. */
export function peopleRows(people: readonly LoggedViolation[], command: 'scan' | 'diff'): string[][] {
  const rows = people.map(({ change, displayName, identityId, policyId, conflictingAccessCriteria }) => [
    ...(command === 'scan' ? [] : [change]),
    displayName,
    identityId,
    policyId,
    itemsOf(conflictingAccessCriteria),
  ]);
  return [[...(command === 'scan' ? [] : ['change']), 'name', 'identity', 'policy', 'holds'], ...rows];
}

/** The items that conflict, side by side. */
export function itemsOf(criteria: LoggedCriteria): string {
  const sides = 'criteria' in criteria ? criteria.criteria : [criteria.leftCriteria, criteria.rightCriteria];
  return sides.map(({ criteriaList }) => criteriaList.map(({ id }) => id).join(', ')).join(' + ');
}

function moreOf(log: ViolationLog, people: readonly LoggedViolation[]): string {
  const totals = log.totals();
  const more = totals.new + totals.same + totals.gone - people.length;
  return more > 0 ? `and ${more.toLocaleString('en-US')} more\n` : '';
}

/** What `--fail-on` of `scan` and `diff` asks: violations of a level or above. */
export interface ViolationGate {
  readonly level: SodPolicyLevel;
}

/** Parses `new`, `new:HIGH` and so on. Throws a `CommandFailure` for anything else. */
export function parseViolationGate(text: string, word: 'new' | 'any'): ViolationGate {
  const [first, level = 'LOW', ...more] = text.split(':');
  const known = SOD_POLICY_LEVELS.find((each) => each === level.toUpperCase());
  if (first !== word || known === undefined || more.length > 0)
    throw calledWrongly(`--fail-on: must be ${word}, or ${word}:LEVEL with ${SOD_POLICY_LEVELS.join(', ')}`);
  return { level: known };
}

/** Whether a gate lets violations pass. */
export function passesGate(gate: ViolationGate | null, log: ViolationLog, change: 'new' | 'same'): boolean {
  if (gate === null) return true;
  const severe = SOD_POLICY_LEVELS.slice(0, SOD_POLICY_LEVELS.indexOf(gate.level) + 1);
  return !log.policies().some((policy) => policy[change] > 0 && severe.includes(policy.level));
}
