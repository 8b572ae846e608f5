import type { AccessAdminClient, AuthProfile, Capability } from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** A person as the form has it. */
export interface NewPerson {
  readonly displayName: string;
  readonly uid: string;
  readonly email: string;
  /** Null for one that follows from the username. */
  readonly id: string | null;
  /** Empty until one is chosen. */
  readonly identityProfile: string;
  readonly capabilities: readonly Capability[];
}

export const EMPTY_PERSON: NewPerson = {
  displayName: '',
  uid: '',
  email: '',
  id: null,
  identityProfile: '',
  capabilities: [],
};

/** The properties whose refusals are shown at a field. */
export const FIELDS_OF_PERSON = ['displayName', 'uid', 'email', 'id', 'identityProfile', 'capabilities'] as const;

const ID_LENGTH_MAX = 128;

/** An id that is made of a username: of the characters that ids may have. */
export const idOf = (uid: string): string =>
  uid
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9:_.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, ID_LENGTH_MAX);

/** Creates the person. What was not typed is left out. */
export const createPerson = (api: AccessAdminClient, person: NewPerson) => {
  const { displayName, uid, email, id, identityProfile, capabilities } = person;
  return api.identities.create({
    id: id ?? idOf(uid),
    uid,
    identityProfile,
    ...(displayName.trim() !== '' && { displayName: displayName.trim() }),
    ...(email.trim() !== '' && { email: email.trim() }),
    ...(capabilities.length > 0 && { capabilities }),
  });
};

/** The identity profiles that a person can have. */
export const identityProfilesQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['people', 'identity-profiles'],
    queryFn: ({ signal }) => Array.fromAsync(api.identityProfiles.list({ sorters: 'name', signal })),
  });

/** How people with an auth profile sign in, and what keeps them away. */
export const demandsOf = ({ type, offNetwork, untrustedGeography }: AuthProfile) => [
  type,
  ...(offNetwork ? (['offNetwork'] as const) : []),
  ...(untrustedGeography ? (['untrustedGeography'] as const) : []),
];
