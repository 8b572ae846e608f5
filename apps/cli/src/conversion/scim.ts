import { attributesNamed, directoryTables } from './directory.ts';
import { type JsonObject, textOf } from './read-objects.ts';
import { type ResourceDialect, type ResourceKind, shorterThan } from './resources.ts';
import { words } from './vocabulary.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User.';
const UNUSED = words(`
      schemas meta id password x509Certificates photos ims addresses
    `);

/** Users and groups of SCIM 2.0 (RFC 7643). */
export const SCIM: ResourceDialect = {
  format: 'scim',
  list: 'Resources',
  kindOf: scimKind,
  members: ['members'],
  memberOf: ['groups'],
  shortened: ENTERPRISE,
  users: {
    known: {
      uid: ['userName'],
      displayName: ['displayName', 'name.formatted'],
      firstname: ['name.givenName'],
      lastname: ['name.familyName'],
      email: ['emails'],
      workPhone: ['phoneNumbers'],
      externalId: ['externalId'],
      enabled: ['active'],
      memberOf: ['groups'],
    },
    attributes: attributesNamed(
      ...words(`
      employeeNumber department division organization costCenter title userType preferredLanguage locale
      timezone
    `),
    ),
    told: { id: 'id' },
    unused: [...UNUSED, 'name', 'nickName', 'profileUrl', 'manager'],
  },
  groups: {
    known: { displayName: ['displayName'], externalId: ['externalId'], members: ['members'] },
    told: { id: 'id' },
    unused: UNUSED,
  },
  profile: { id: 'scim', name: 'SCIM' },
  modelId: 'id',
  missing: (pages) => shorterThan('totalResults', pages),
};

/** The names that a mapping may use. */
export const SCIM_TABLES = directoryTables(SCIM);

function scimKind(resource: JsonObject): ResourceKind {
  const schemas = Array.isArray(resource['schemas']) ? resource['schemas'].map(String) : [];
  const type = textOf(Object(resource['meta']).resourceType);
  if (schemas.some((schema) => schema.endsWith(':core:2.0:Group')) || type === 'Group') return 'group';
  if (schemas.some((schema) => schema.endsWith(':core:2.0:User')) || type === 'User') return 'user';
  if (schemas.length > 0 && textOf(resource['userName']) === null) return null;
  // A user has a userName, and a group has none.
  if (textOf(resource['userName']) !== null) return 'user';
  return textOf(resource['displayName']) === null ? null : 'group';
}
