import type { AccessAdminClient, AuthProfileSettings, JsonPatch, NetworkConfig } from '@access-admin/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AuthProfileSearch } from './search.ts';

/** All auth profiles. */
export const authProfilesQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['settings', 'auth-profiles'],
    queryFn: ({ signal }) => Array.fromAsync(api.authProfiles.list({ signal })),
  });

/** One auth profile with its version. */
export const authProfileQuery = (api: AccessAdminClient, id: string) =>
  queryOptions({
    queryKey: ['settings', 'auth-profiles', id],
    queryFn: ({ signal }) => api.authProfiles.get(id, { signal }).withETag(),
  });

/** What the sign-in of a search would do. */
export const decisionQuery = (api: AccessAdminClient, { person, ip, country }: AuthProfileSearch) =>
  queryOptions({
    queryKey: ['settings', 'decision', person, ip, country],
    enabled: person !== undefined && ip !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.signIn.decide({ identityId: person ?? '', ip: ip ?? '', country: country ?? null }, { signal }),
  });

/** A change of an auth profile by its id, or of the network. */
type Change =
  | { readonly of: { readonly profile: string }; readonly operations: JsonPatch<keyof AuthProfileSettings> }
  | { readonly of: 'network'; readonly operations: JsonPatch<keyof NetworkConfig> };

/** A change that is tried. */
export interface TriedChange {
  readonly change: Change;
  /** From where people would sign in; empty for where this browser is. */
  readonly ip: string;
  readonly country: string;
}

/** The effect of a change on sign-ins. */
export const triedChangeQuery = (api: AccessAdminClient, { change, ip, country }: TriedChange) =>
  queryOptions({
    queryKey: ['settings', 'tried', change, ip, country],
    enabled: change.operations.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const options = { signal, ...(ip !== '' && { ip }), ...(country !== '' && { country }) };
      return change.of === 'network'
        ? api.authOrg.network.tryPatch(change.operations, options)
        : api.authProfiles.tryPatch(change.of.profile, change.operations, options);
    },
  });

/** The texts of the login page and the origins of frames, with their version. */
export const uiMetadataQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['settings', 'ui-metadata'],
    queryFn: ({ signal }) => api.uiMetadata.get({ signal }).withETag(),
  });

/** The title, the logo and the text of help of the tenant, with their version. */
export const brandingQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['settings', 'branding'],
    queryFn: ({ signal }) => api.branding.get({ signal }).withETag(),
  });

/** From where people sign in, with its version. */
export const networkQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['settings', 'network'],
    queryFn: ({ signal }) => api.authOrg.network.get({ signal }).withETag(),
  });

/** When failed attempts lock an identity, with its version. */
export const lockoutQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['settings', 'lockout'],
    queryFn: ({ signal }) => api.authOrg.lockout.get({ signal }).withETag(),
  });

/** How long sessions last, with its version. */
export const sessionConfigQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['settings', 'session'],
    queryFn: ({ signal }) => api.authOrg.session.get({ signal }).withETag(),
  });
