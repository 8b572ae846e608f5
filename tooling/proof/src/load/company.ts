import type { AccessModelInput, AccessModelRecord, UiMetadataOperations } from '@access-admin/client';
import { CAPABILITIES, type Capability } from '@access-admin/domain';

const side = (id: string) => ({ criteriaList: [{ type: 'ENTITLEMENT' as const, id }] });

/** Records that never change. Creating vendors conflicts with paying them, and Ben pays. */
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

/** A grant that violates only the policy `p-vendor`. */
export const GRANT = { identityId: 'i-ben', accessRefs: [{ type: 'ENTITLEMENT' as const, id: 'e-vendor' }] };
export const BROKEN_POLICY = 'p-vendor';

/** Entitlements for long grants, so that a worker spends its time on the checks rather than on storing them. */
export const BALLAST = Array.from({ length: 450 }, (_, at) => ({
  kind: 'entitlement' as const,
  id: `e-${at}`,
  name: `Ballast ${at}`,
}));
export const LONG_GRANT = {
  ...GRANT,
  accessRefs: [...GRANT.accessRefs, ...BALLAST.map(({ id }) => ({ type: 'ENTITLEMENT' as const, id }))],
};

export const changingPolicy = (id: string, number: number) => ({
  kind: 'sodPolicy' as const,
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

// ORG_ADMIN is left out because the last administrator of a tenant is protected; INTERNAL can never be granted.
const DIGITS = CAPABILITIES.filter((name) => name !== 'ORG_ADMIN' && name !== 'INTERNAL');

/** A number in binary, with one capability per digit. */
export const capabilitiesOf = (number: number): readonly Capability[] =>
  DIGITS.filter((_, place) => (number >>> place) & 1);

/** The number that these capabilities stand for. */
export const numberOfCapabilities = (capabilities: readonly string[] = []): number =>
  DIGITS.reduce((sum, name, place) => sum + (capabilities.includes(name) ? 2 ** place : 0), 0);

/** The three settings of a tenant; each has one writer. */
export const UI_SETTINGS = ['usernameLabel', 'usernameEmptyText', 'iFrameWhitelist'] as const;
type UiSetting = (typeof UI_SETTINGS)[number];

export const uiUpdate = (setting: UiSetting, number: number): Parameters<UiMetadataOperations['set']>[0] => ({
  [setting]: setting === 'iFrameWhitelist' ? `https://n${number}.example.com` : `n${number}`,
});

/** The numbers in an exported model, by the name of their writer; 0 if none was written. */
export function readNumbers(records: readonly AccessModelRecord[]): ReadonlyMap<string, number> {
  // An export has no record of settings that were never changed.
  return new Map([...UI_SETTINGS.map((setting) => [setting, 0] as const), ...records.flatMap(numbersOf)]);
}

function numbersOf(record: AccessModelRecord): readonly (readonly [string, number])[] {
  if (record.kind === 'sodPolicy') return [[record.id, Number(record.description)]];
  if (record.kind === 'uiMetadata')
    return UI_SETTINGS.map((setting) => [setting, Number(/\d+/.exec(record[setting] ?? '0')?.[0])]);
  if (record.kind !== 'identity') return [];
  return [
    [`${record.id} name`, Number(record.displayName)],
    [`${record.id} capabilities`, numberOfCapabilities(record.capabilities)],
  ];
}
