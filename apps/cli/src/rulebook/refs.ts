import { ACCESS_TYPES, type AccessRef } from '@access-admin/domain';

/** Whether a ref is a pattern, resolved against the catalogue. */
export const isPattern = (ref: string): boolean => ref.includes('*');

/** The entitlement id, or pattern of ids, of a ref of a policy. */
export const entitlementOf = (ref: string): string => ref.replace(/^ENTITLEMENT:/, '');

/** The access that a ref of a test names; without a type it is an entitlement. */
export function accessRefOf(ref: string): AccessRef {
  const type = ACCESS_TYPES.find((each) => ref.startsWith(`${each}:`));
  return type === undefined ? { type: 'ENTITLEMENT', id: ref } : { type, id: ref.slice(type.length + 1) };
}

/** Whether an id matches a pattern, in which `*` stands for any characters: in time linear in the id, with any number of `*`. */
export function createMatcher(pattern: string): (id: string) => boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return (id) => id === pattern;
  return (id) => {
    if (!id.startsWith(start) || !id.endsWith(end)) return false;
    // The first place of each part leaves the most room for those after it.
    let from = start.length;
    for (const part of rest) {
      const at = id.indexOf(part, from);
      if (at === -1) return false;
      from = at + part.length;
    }
    return from + end.length <= id.length;
  };
}
