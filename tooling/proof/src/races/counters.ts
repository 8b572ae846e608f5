import type { AccessAdminClient, AccessModelInput, ResourceCall } from '@access-admin/client';
import { CAPABILITIES, type Capability } from '@access-admin/domain';

/** A number in a resource, and the version of the resource. */
export interface Counted {
  readonly number: number;
  readonly etag: string;
}

/** A resource that can hold a number. */
export interface Counter {
  readonly name: string;
  read(client: AccessAdminClient): Promise<Counted>;
  /** Without a version it overwrites any state. */
  write(client: AccessAdminClient, number: number, options: { readonly ifMatch?: string }): Promise<Counted>;
}

const IDENTITIES = ['i-1', 'i-2', 'i-3', 'i-4'];
const PROFILES = ['ip-1', 'ip-2'];

/** The records that the counters need. */
export const COUNTED_MODEL: readonly AccessModelInput[] = [
  ...PROFILES.map((id) => ({ kind: 'identityProfile' as const, id, name: id })),
  ...IDENTITIES.map((id) => ({ kind: 'identity' as const, id, uid: id, identityProfile: 'ip-1' })),
];

/** Every kind of resource that has versions, all at 0. */
export const COUNTERS: readonly Counter[] = [
  ...IDENTITIES.map(inAuthUser),
  ...PROFILES.map(inAuthProfile),
  inUiMetadata(),
];

// An application cannot change INTERNAL, and ORG_ADMIN has rules of its own.
const DIGITS = CAPABILITIES.filter((name) => name !== 'INTERNAL' && name !== 'ORG_ADMIN');

function inAuthUser(id: string): Counter {
  const counted = countedBy((user: { readonly capabilities: readonly Capability[] }) =>
    DIGITS.reduce((sum, name, place) => sum + (user.capabilities.includes(name) ? 2 ** place : 0), 0),
  );
  const digitsOf = (number: number) => DIGITS.filter((_, place) => (number >>> place) & 1);
  return {
    name: `auth user ${id}`,
    read: (client) => counted(client.authUsers.get(id)),
    write: (client, number, options) => counted(client.authUsers.setCapabilities(id, digitsOf(number), options)),
  };
}

function inAuthProfile(id: string): Counter {
  const counted = countedBy((profile: { readonly applicationName: string | null }) => Number(profile.applicationName));
  return {
    name: `auth profile ${id}`,
    read: (client) => counted(client.authProfiles.get(id)),
    write: (client, number, options) => {
      const replace = { op: 'replace', path: '/applicationName', value: String(number) } as const;
      return counted(client.authProfiles.patch(id, [replace], options));
    },
  };
}

function inUiMetadata(): Counter {
  const counted = countedBy((metadata: { readonly usernameLabel: string | null }) => Number(metadata.usernameLabel));
  return {
    name: 'UI metadata',
    read: (client) => counted(client.uiMetadata.get()),
    write: (client, number, options) => counted(client.uiMetadata.set({ usernameLabel: String(number) }, options)),
  };
}

function countedBy<T>(numberOf: (resource: T) => number): (call: ResourceCall<T>) => Promise<Counted> {
  return async (call) => {
    const { value, etag } = await call.withETag();
    return { number: numberOf(value), etag };
  };
}
