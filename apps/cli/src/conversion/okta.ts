import { attributesNamed, directoryTables } from './directory.ts';
import { type JsonObject, textOf } from './read-objects.ts';
import type { ResourceDialect, ResourceKind } from './resources.ts';
import { words } from './vocabulary.ts';

const UNUSED = words(`
      id created lastUpdated lastMembershipUpdated activated statusChanged lastLogin passwordChanged type
      credentials _links _embedded objectClass realmId transitioningToStatus
    `);

/** Whether a user of each status that Okta has is disabled. */
const STATUSES: ReadonlyMap<string, boolean> = new Map([
  ['ACTIVE', false],
  ['DEPROVISIONED', true],
  ['LOCKED_OUT', false],
  ['PASSWORD_EXPIRED', false],
  ['PROVISIONED', false],
  ['RECOVERY', false],
  ['STAGED', true],
  ['SUSPENDED', true],
]);

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
      'profile.honorificPrefix',
      'profile.honorificSuffix',
      'profile.nickName',
      'profile.profileUrl',
      'profile.postalAddress',
      'profile.streetAddress',
      'profile.state',
      'profile.zipCode',
      'profile.manager',
      'profile.managerId',
    ],
  },
  groups: {
    known: { displayName: ['profile.name'], members: ['members', 'users'] },
    told: { id: 'id' },
    unused: [
      ...UNUSED,
      'profile.description',
      // What groups of Active Directory have.
      'profile.dn',
      'profile.externalId',
      'profile.groupScope',
      'profile.groupType',
      'profile.objectSid',
      'profile.samAccountName',
      'profile.windowsDomainQualifiedName',
      'source',
    ],
  },
  profile: { id: 'okta', name: 'Okta' },
  modelId: 'id',
  disabled: (valuesOf) => {
    const [status = 'ACTIVE'] = valuesOf('status');
    const disabled = STATUSES.get(status.toUpperCase());
    return disabled === undefined
      ? {
          fault: `status: ${status} is none of ${[...STATUSES.keys()].join(', ')}; in a mapping, \`status: status\` with \`values\` says what each one means`,
        }
      : { disabled };
  },
  missing: () => [],
};

/** The names that a mapping may use. */
export const OKTA_TABLES = directoryTables(OKTA);

function oktaKind(object: JsonObject): ResourceKind {
  const profile: JsonObject = Object(object['profile']);
  if (textOf(profile['login']) !== null) return 'user';
  return textOf(profile['name']) === null ? null : 'group';
}
