import { attributesNamed, directoryTables } from './directory.ts';
import { type JsonObject, textOf } from './read-objects.ts';
import { type ListPage, type ResourceDialect, type ResourceKind, shorterThan } from './resources.ts';
import { words } from './vocabulary.ts';

const UNUSED = words(`
      id @odata.* createdDateTime onPremisesDistinguishedName onPremisesDomainName onPremisesImmutableId
      onPremisesLastSyncDateTime onPremisesNetBiosName onPremisesObjectIdentifier
      onPremisesProvisioningErrors onPremisesSamAccountName onPremisesSecurityIdentifier onPremisesSipInfo
      onPremisesSyncBehavior onPremisesSyncEnabled onPremisesUserPrincipalName proxyAddresses imAddresses
      identities securityIdentifier renewedDateTime lastPasswordChangeDateTime
      signInSessionsValidFromDateTime refreshTokensValidFromDateTime signInActivity passwordProfile
      passwordPolicies
    `);

const EXPANDED_MAX = 20;

/** Users and groups of Microsoft Graph, which speaks for Entra ID. */
export const GRAPH: ResourceDialect = {
  format: 'graph',
  list: 'value',
  kindOf: graphKind,
  members: ['members'],
  memberOf: ['memberOf', 'transitiveMemberOf'],
  users: {
    known: {
      uid: ['userPrincipalName'],
      displayName: ['displayName'],
      firstname: ['givenName'],
      lastname: ['surname'],
      email: ['mail'],
      workPhone: ['businessPhones'],
      enabled: ['accountEnabled'],
      memberOf: ['memberOf', 'transitiveMemberOf'],
    },
    attributes: attributesNamed(
      ...words(`
      jobTitle department employeeId employeeType companyName officeLocation preferredLanguage userType
      usageLocation country city
    `),
    ),
    told: { id: 'id' },
    unused: [
      ...UNUSED,
      'mobilePhone',
      'mailNickname',
      'otherMails',
      'licenseAssignmentStates',
      'assignedLicenses',
      'assignedPlans',
      'provisionedPlans',
      'streetAddress',
      'state',
      'postalCode',
      'creationType',
      'externalUserState',
      'externalUserStateChangeDateTime',
      'ageGroup',
      'employeeHireDate',
      'showInAddressList',
      'usageLocation',
    ],
  },
  groups: {
    known: { displayName: ['displayName'], members: ['members'] },
    told: { id: 'id' },
    unused: [
      ...UNUSED,
      'description',
      'groupTypes',
      'mail',
      'mailEnabled',
      'mailNickname',
      'securityEnabled',
      'visibility',
      'classification',
      'isAssignableToRole',
      'membershipRule',
      'membershipRuleProcessingState',
      'preferredDataLocation',
      'preferredLanguage',
      'resourceBehaviorOptions',
      'resourceProvisioningOptions',
      'creationOptions',
      'theme',
      'uniqueName',
      'serviceProvisioningErrors',
      'memberOf',
      'transitiveMemberOf',
    ],
  },
  profile: { id: 'entra', name: 'Entra' },
  modelId: 'id',
  suspect: (object, envelope) => {
    if ('@removed' in object) return ['is removed (@removed), as answers of a delta say: ask for the whole list'];
    const { members } = object;
    // Graph expands twenty members, and does not say that there are more.
    const isExpanded = /"@odata\.context"\s*:\s*"[^"]*members\(/.test(envelope);
    return isExpanded && Array.isArray(members) && members.length === EXPANDED_MAX
      ? [`has ${EXPANDED_MAX} members, and $expand shows no more: ask for /groups/{id}/members`]
      : [];
  },
  missing: missingPages,
};

/** The names that a mapping may use. */
export const GRAPH_TABLES = directoryTables(GRAPH);

function graphKind(object: JsonObject, envelope: string): ResourceKind {
  if ('@removed' in object) return { other: 'removed' };
  const type = textOf(object['@odata.type'])?.replace('#microsoft.graph.', '');
  if (type === 'user') return 'user';
  if (type === 'group' || type === 'directoryRole') return 'group';
  if (type !== undefined) return { other: type };
  const [, context] = /"@odata\.context"\s*:\s*"[^"]*#(users|groups|directoryRoles)\b/.exec(envelope) ?? [];
  if (context !== undefined) return context === 'users' ? 'user' : 'group';
  if (textOf(object['userPrincipalName']) !== null) return 'user';
  const isGroup = ['members', 'groupTypes', 'securityEnabled', 'mailEnabled', 'roleTemplateId'].some(
    (name) => name in object,
  );
  return isGroup ? 'group' : null;
}

/** A page that says where the next one is, and a count that the pages do not hold. */
function missingPages(pages: readonly ListPage[]) {
  const goOn = pages.flatMap(({ enclosing, at }) =>
    textOf(enclosing['@odata.nextLink']) === null
      ? []
      : [{ at, text: 'the list goes on (@odata.nextLink): ask for all pages, and put their values into one list' }],
  );
  return [...goOn, ...shorterThan('@odata.count', pages)];
}
