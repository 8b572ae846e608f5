import type { AccessModelInput } from '@access-admin/client';

/** The functions of a company: every two of them are kept apart by a policy, until there are as many policies as asked for. */
export function* createPolicyWorld(count: number): Generator<AccessModelInput> {
  const functions = Math.ceil((1 + Math.sqrt(1 + 8 * count)) / 2);
  for (let number = 0; number < functions; number++)
    yield { kind: 'entitlement', id: `e-${number}`, name: nameOf(number), source: 'ERP' };
  let made = 0;
  for (let right = 1; right < functions; right++)
    for (let left = 0; left < right && made < count; left++, made++)
      yield {
        kind: 'sodPolicy',
        id: `p-${made}`,
        name: `${nameOf(left)} and ${nameOf(right)}`,
        ...{ level: 'HIGH', state: 'ENFORCED' },
        conflictingAccessCriteria: { leftCriteria: sideOf(left), rightCriteria: sideOf(right) },
      };
}

const nameOf = (number: number) => `Function ${number + 1}`;
const sideOf = (number: number) => ({
  name: nameOf(number),
  criteriaList: [{ type: 'ENTITLEMENT' as const, id: `e-${number}` }],
});
