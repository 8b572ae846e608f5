import type { QueryOf } from '@access-admin/contract';
import type { ViolationQuery } from '@access-admin/store';

/** The violations that the query of their list selects; `policyId` counts like a filter. */
export function violationQueryOf({
  change,
  policyId,
  filters,
}: QueryOf<'list-sod-report-violations-v1'>): ViolationQuery {
  const policyIds = valuesOf(filters, 'policyId');
  const selected = policyId === null ? policyIds : both(policyIds, [policyId]);
  const excepted = valuesOf(filters, 'excepted');
  return {
    change,
    identityIds: valuesOf(filters, 'identityId'),
    // Two conditions that contradict each other leave neither true nor false.
    policyIds: excepted?.length === 0 ? [] : selected,
    levels: valuesOf(filters, 'level'),
    excepted: excepted === null ? null : excepted[0] === 'true',
  };
}

interface Condition {
  readonly field: string;
  readonly values: readonly string[];
}

type ValueOf<C extends Condition, F extends string> = Extract<C, { readonly field: F }>['values'][number];

/** The values that a field may have, null for all: those that every condition on the field accepts. */
function valuesOf<C extends Condition, F extends C['field']>(
  conditions: readonly C[],
  field: F,
): readonly ValueOf<C, F>[] | null {
  const isOfField = (condition: C): condition is Extract<C, { readonly field: F }> => condition.field === field;
  let found: readonly ValueOf<C, F>[] | null = null;
  for (const { values } of conditions.filter(isOfField)) found = both<ValueOf<C, F>>(found, values);
  return found;
}

/** The values of two conditions on one field that meet both. */
const both = <V extends string>(earlier: readonly V[] | null, values: readonly V[]): readonly V[] =>
  earlier === null ? [...new Set(values)] : earlier.filter((value) => values.includes(value));
