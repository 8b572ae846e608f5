import { attributesNamed, directoryTables } from './directory.ts';
import { type JsonObject, textOf } from './read-objects.ts';
import type { ResourceDialect, ResourceKind } from './resources.ts';
import { words } from './vocabulary.ts';

const UNUSED = words(`
      id created lastUpdated lastMembershipUpdated activated statusChanged lastLogin passwordChanged type
      credentials. _links. _embedded. objectClass realmId transitioningToStatus
    `);

/** Users and groups of Okta's own interface. */
export const OKTA: ResourceDialect = {
  format: 'okta',
  // Okta answers with arrays.
  list: '',
  kindOf: oktaKind,
  members: ['members', 'users'],
  memberOf: ['groups', 'groupIds'],
  users: {
    known: {
      uid: ['profile.login'],
      displayName: ['profile.displayName'],
      firstname: ['profile.firstName'],
      lastname: ['profile.lastName'],
      email: ['profile.email'],
      workPhone: ['profile.primaryPhone'],
      memberOf: ['groups', 'groupIds'],
    },
    attributes: {
      ...attributesNamed(
        ...words(`
      title department division organization costCenter employeeNumber userType preferredLanguage locale
      timezone city countryCode
    `).map((name) => `profile.${name}`),
      ),
      status: 'status',
    },
    told: { id: 'id' },
    unused: [
      ...UNUSED,
      'profile.secondEmail',
      'profile.mobilePhone',
      'profile.middleName',
      'profile.honorific',
      'profile.nickName',
      'profile.profileUrl',
      'profile.postalAddress',
      'profile.streetAddress',
      'profile.state',
      'profile.zipCode',
      'profile.manager',
    ],
  },
  groups: {
    known: { displayName: ['profile.name'], members: ['members', 'users'] },
    told: { id: 'id' },
    unused: [...UNUSED, 'profile.description', 'profile.', 'source.'],
  },
  profile: { id: 'okta', name: 'Okta' },
  modelId: 'id',
  disabled: ({ fields }) => ['DEPROVISIONED', 'SUSPENDED', 'STAGED'].includes(fields.get('status')?.[0] ?? ''),
  missing: () => [],
};

/** The names that a mapping may use. */
export const OKTA_TABLES = directoryTables(OKTA);

function oktaKind(object: JsonObject): ResourceKind {
  const profile: JsonObject = Object(object['profile']);
  if (textOf(profile['login']) !== null) return 'user';
  return textOf(profile['name']) === null ? null : 'group';
}
