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

/** Whether an id matches a pattern, in which `*` stands for any characters. */
export function createMatcher(pattern: string): (id: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 's');
  return (id) => expression.test(id);
}
