/** Records of small rulebooks; items are written as ids separated by blanks. */

export const entitlement = (id: string) => ({ kind: 'entitlement', id, name: `The ${id}` });
export const accessProfile = (id: string, items: string) => ({
  kind: 'accessProfile',
  id,
  name: `Profile ${id}`,
  entitlements: idsOf(items),
});
export const role = (id: string, profiles: string, items = '') => ({
  kind: 'role',
  id,
  name: `Role ${id}`,
  accessProfiles: idsOf(profiles),
  entitlements: idsOf(items),
});

const side = (items: string) => ({ criteriaList: idsOf(items).map((id) => ({ type: 'ENTITLEMENT', id })) });

/** A policy of two sides. */
export const two = (id: string, left: string, right: string, rest: object = {}) => ({
  kind: 'sodPolicy',
  id,
  name: `Policy ${id}`,
  conflictingAccessCriteria: { leftCriteria: side(left), rightCriteria: side(right) },
  ...rest,
});

/** A policy of any number of sides. */
export const kOfN = (id: string, atLeast: number, sides: readonly string[]) => ({
  kind: 'sodPolicy',
  id,
  name: `Policy ${id}`,
  conflictingAccessCriteria: { criteria: sides.map(side), atLeast },
});

const idsOf = (text: string) => text.split(' ').filter((id) => id !== '');
