import type { AccessModelInput, AccessModelRecord, UiMetadataOperations } from '@access-admin/client';
import { CAPABILITIES, type Capability } from '@access-admin/domain';

const side = (id: string) => ({ criteriaList: [{ type: 'ENTITLEMENT' as const, id }] });

/** What nobody changes: whoever creates vendors must not pay them, and Ben pays. */
export const COMPANY: readonly AccessModelInput[] = [
  { kind: 'entitlement', id: 'e-vendor', name: 'Vendor: create' },
  { kind: 'entitlement', id: 'e-pay', name: 'AP: release payment' },
  { kind: 'entitlement', id: 'e-left', name: 'Of the policies that change, left' },
  { kind: 'entitlement', id: 'e-right', name: 'Of the policies that change, right' },
  { kind: 'identityProfile', id: 'ip-staff', name: 'Staff' },
  { kind: 'identity', id: 'i-ada', uid: 'ada', identityProfile: 'ip-staff', capabilities: ['ORG_ADMIN'] },
  {
    kind: 'identity',
    id: 'i-ben',
    uid: 'ben',
    identityProfile: 'ip-staff',
    access: [{ type: 'ENTITLEMENT', id: 'e-pay' }],
  },
  {
    kind: 'sodPolicy',
    id: 'p-vendor',
    name: 'Vendor and payment',
    conflictingAccessCriteria: { leftCriteria: side('e-vendor'), rightCriteria: side('e-pay') },
  },
];

/** A grant that breaks exactly the policy `p-vendor`. */
export const GRANT = { identityId: 'i-ben', accessRefs: [{ type: 'ENTITLEMENT' as const, id: 'e-vendor' }] };
export const BROKEN_POLICY = 'p-vendor';

/** Catalogue for grants so long that a worker spends its time on the checks rather than on storing them. */
export const BALLAST = Array.from({ length: 450 }, (_, at) => ({
  kind: 'entitlement' as const,
  id: `e-${at}`,
  name: `Ballast ${at}`,
}));
export const LONG_GRANT = {
  ...GRANT,
  accessRefs: [...GRANT.accessRefs, ...BALLAST.map(({ id }) => ({ type: 'ENTITLEMENT' as const, id }))],
};

export const changingPolicy = (id: string, number: number): AccessModelInput => ({
  kind: 'sodPolicy',
  id,
  name: id,
  description: String(number),
  conflictingAccessCriteria: { leftCriteria: side('e-left'), rightCriteria: side('e-right') },
});

export const changingIdentity = (id: string, number: number): AccessModelInput => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip-staff',
  displayName: String(number),
});

// An administrator is left alone: the last one of a tenant is protected. INTERNAL can never be given.
const DIGITS = CAPABILITIES.filter((name) => name !== 'ORG_ADMIN' && name !== 'INTERNAL');

/** A number in binary, each capability a digit. */
export const capabilitiesOf = (number: number): readonly Capability[] =>
  DIGITS.filter((_, place) => (number >>> place) & 1);

/** The three settings of a tenant, each for a writer of its own. */
export const UI_SETTINGS = ['usernameLabel', 'usernameEmptyText', 'iFrameWhitelist'] as const;
type UiSetting = (typeof UI_SETTINGS)[number];

export const uiUpdate = (setting: UiSetting, number: number): Parameters<UiMetadataOperations['set']>[0] => ({
  [setting]: setting === 'iFrameWhitelist' ? `https://n${number}.example.com` : `n${number}`,
});

/** The numbers that an exported model holds, by the name of their register; 0 where none was ever written. */
export function readNumbers(records: readonly AccessModelRecord[]): ReadonlyMap<string, number> {
  // Of settings that were never changed there is no record.
  return new Map([...UI_SETTINGS.map((setting) => [setting, 0] as const), ...records.flatMap(numbersOf)]);
}

function numbersOf(record: AccessModelRecord): readonly (readonly [string, number])[] {
  if (record.kind === 'sodPolicy') return [[record.id, Number(record.description)]];
  if (record.kind === 'uiMetadata')
    return UI_SETTINGS.map((setting) => [setting, Number(/\d+/.exec(record[setting] ?? '0')?.[0])]);
  if (record.kind !== 'identity') return [];
  const digits = new Set<string>(record.capabilities);
  const number = DIGITS.reduce((sum, name, place) => sum + (digits.has(name) ? 2 ** place : 0), 0);
  return [
    [`${record.id} name`, Number(record.displayName)],
    [`${record.id} capabilities`, number],
  ];
}
