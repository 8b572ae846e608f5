import { readFileSync } from 'node:fs';
import type { SodPolicyLevel } from '@access-admin/domain';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import { RIGHTS_OF_FUNCTIONS } from './functions.ts';
import { NOT_ENFORCED, REFERENCES } from './settings.ts';

const OPEN_RULEBOOK = new URL('../../rulebooks/open/', import.meta.url);

/** The files of the open rulebook, in the order of the sample. */
const SECTIONS = [
  'procure-to-pay',
  'order-to-cash',
  'record-to-report',
  'payroll-and-human-resources',
  'treasury',
  'assets-and-inventory',
  'it-and-cloud-administration',
  'critical-access',
  'whole-processes',
];

/** A rule of the open rulebook, as its file states it. */
interface Rule {
  readonly id: string;
  readonly name: string;
  readonly level: SodPolicyLevel;
  readonly description: string;
  readonly tags: readonly string[];
  readonly advice: string;
  readonly controls: string;
  readonly left?: readonly string[];
  readonly right?: readonly string[];
  readonly sides?: readonly { readonly name: string; readonly items: readonly string[] }[];
  readonly atLeast?: number;
  readonly critical?: readonly string[];
}

/** A side of a rule: its name and its functions. */
interface Side {
  readonly name: string;
  readonly functions: readonly string[];
}

const read = (name: string): string => readFileSync(new URL(name, OPEN_RULEBOOK), 'utf8');

/** The policies of the sample company: the rules of the open rulebook whose functions it has, on its own rights. */
export function buildPolicies(): readonly object[] {
  const functions: readonly { id: string; name: string }[] = parseCsv(read('functions.csv'), { columns: true });
  const names = new Map(
    functions.map(({ id, name }) => [id, name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())]),
  );
  const named = (ids: readonly string[]): Side => ({
    name: ids.map((id) => names.get(id) ?? id).join(' or '),
    functions: ids,
  });
  const rules = SECTIONS.flatMap(
    (section): readonly Rule[] => parseYaml(read(`rulebook/policies/${section}.yaml`)).policies,
  );
  return rules.flatMap((rule) => {
    const conflict = conflictOf(rule, named);
    return conflict === null ? [] : [toRecord(rule, conflict)];
  });
}

const toRecord = (rule: Rule, conflictingAccessCriteria: object): object => ({
  kind: 'sodPolicy',
  id: rule.id,
  name: rule.name,
  description: rule.description,
  state: NOT_ENFORCED.includes(rule.id) ? 'NOT_ENFORCED' : 'ENFORCED',
  level: rule.level,
  conflictingAccessCriteria,
  externalPolicyReference: REFERENCES[rule.id] ?? null,
  compensatingControls: rule.controls,
  correctionAdvice: rule.advice,
  tags: rule.tags,
});

/** The criteria of a rule on the rights of the company; null where these do not suffice to violate it. */
function conflictOf(rule: Rule, named: (ids: readonly string[]) => Side): object | null {
  const { left = [], right = [], sides, critical, atLeast = 0 } = rule;
  if (critical !== undefined) {
    const criteria = [named(critical)].flatMap(toCriteria);
    return criteria.length === 0 ? null : { criteria, atLeast: 1 };
  }
  if (sides !== undefined) {
    const criteria = sides.flatMap(({ name, items }) => toCriteria({ name, functions: items }));
    return criteria.length < atLeast ? null : { criteria, atLeast };
  }
  const [leftCriteria, rightCriteria] = [named(left), named(right)].flatMap(toCriteria);
  return rightCriteria === undefined ? null : { leftCriteria, rightCriteria };
}

/** A side with the rights that give its functions; nothing where there are none. */
function toCriteria({ name, functions }: Side): readonly object[] {
  const ids = [...new Set(functions.flatMap((id) => RIGHTS_OF_FUNCTIONS[id] ?? []))];
  return ids.length === 0 ? [] : [{ name, criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT', id })) }];
}
