import type {
  AccessAdminClient,
  AccessModelInput,
  AuthProfile,
  AuthUser,
  ResourceCall,
  UiMetadata,
} from '@access-admin/client';
import { capabilitiesOf, numberOfCapabilities } from '../load/company.ts';

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

const counted = async <T>(call: ResourceCall<T>, numberIn: (resource: T) => unknown): Promise<Counted> => {
  const { value, etag } = await call.withETag();
  return { number: Number(numberIn(value)), etag };
};
const inUser = ({ capabilities }: AuthUser) => numberOfCapabilities(capabilities);
const inProfile = ({ applicationName }: AuthProfile) => applicationName;
const inMetadata = ({ usernameLabel }: UiMetadata) => usernameLabel;

/** Every kind of resource that has versions, all at 0. */
export const COUNTERS: readonly Counter[] = [
  ...IDENTITIES.map(
    (id): Counter => ({
      name: `auth user ${id}`,
      read: ({ authUsers }) => counted(authUsers.get(id), inUser),
      write: ({ authUsers }, number, options) =>
        counted(authUsers.setCapabilities(id, capabilitiesOf(number), options), inUser),
    }),
  ),
  ...PROFILES.map(
    (id): Counter => ({
      name: `auth profile ${id}`,
      read: ({ authProfiles }) => counted(authProfiles.get(id), inProfile),
      write: ({ authProfiles }, number, options) => {
        const replace = { op: 'replace', path: '/applicationName', value: String(number) } as const;
        return counted(authProfiles.patch(id, [replace], options), inProfile);
      },
    }),
  ),
  {
    name: 'UI metadata',
    read: ({ uiMetadata }) => counted(uiMetadata.get(), inMetadata),
    write: ({ uiMetadata }, number, options) =>
      counted(uiMetadata.set({ usernameLabel: String(number) }, options), inMetadata),
  },
];
