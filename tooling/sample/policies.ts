import { readFileSync } from 'node:fs';
import type { SodPolicyLevel } from '@access-admin/domain';
import { parse } from 'yaml';
import { RIGHTS_OF_FUNCTIONS } from './functions.ts';
import { NOT_ENFORCED, REFERENCES } from './settings.ts';
import { SIDE_NAMES } from './side-names.ts';

const POLICIES_OF_OPEN_RULEBOOK = new URL('../../rulebooks/open/rulebook/policies/', import.meta.url);

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

/** The policies of the sample company: the rules of the open rulebook whose functions it has, on its own rights. */
export function buildPolicies(): readonly object[] {
  const rules = SECTIONS.flatMap((section): readonly Rule[] => {
    const file = new URL(`${section}.yaml`, POLICIES_OF_OPEN_RULEBOOK);
    return parse(readFileSync(file, 'utf8')).policies;
  });
  return rules.flatMap((rule) => {
    const conflict = conflictOf(rule);
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
function conflictOf({ id, left = [], right = [], sides = [], critical, atLeast = 0 }: Rule): object | null {
  const [first = null, second = null] = SIDE_NAMES[id] ?? [];
  if (critical !== undefined) {
    const criteria = toCriteria(first, critical);
    return criteria.length === 0 ? null : { criteria, atLeast: 1 };
  }
  if (atLeast > 0) {
    const criteria = sides.flatMap(({ name, items }) => toCriteria(name, items));
    return criteria.length < atLeast ? null : { criteria, atLeast };
  }
  const [leftCriteria] = toCriteria(first, left);
  const [rightCriteria] = toCriteria(second, right);
  return leftCriteria === undefined || rightCriteria === undefined ? null : { leftCriteria, rightCriteria };
}

/** A side with the rights that give its functions; nothing where there are none. */
function toCriteria(name: string | null, functions: readonly string[]): readonly object[] {
  const ids = [...new Set(functions.flatMap((id) => RIGHTS_OF_FUNCTIONS[id] ?? []))];
  return ids.length === 0 ? [] : [{ name, criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT', id })) }];
}
