import { SCIM_BULK_BYTES_MAX, SCIM_BULK_OPERATIONS_MAX, SCIM_COUNT_MAX } from '@access-admin/contract';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const BULK_RESPONSE_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

export const COUNT_DEFAULT = 100;

const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';

interface Shape {
  readonly type?: string;
  readonly description: string;
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly caseExact?: boolean;
  readonly mutability?: string;
  readonly uniqueness?: string;
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly object[];
}

/** An attribute of a schema, with what RFC 7643 has as defaults written out. */
const attribute = (name: string, { type = 'string', uniqueness = 'none', ...shape }: Shape): object => ({
  name,
  type,
  multiValued: false,
  required: false,
  ...(type === 'string' || type === 'reference' ? { caseExact: false } : {}),
  mutability: 'readWrite',
  returned: 'default',
  ...(type === 'complex' ? {} : { uniqueness }),
  ...shape,
});

const texts = (names: Readonly<Record<string, string>>): readonly object[] =>
  Object.entries(names).map(([name, description]) => attribute(name, { description }));

/** One value is kept, and shown as that for work. */
const oneForWork = (description: string): Shape => ({
  type: 'complex',
  description,
  multiValued: true,
  subAttributes: [
    attribute('value', { description: 'The value.' }),
    attribute('type', { description: 'Always work.', canonicalValues: ['work'] }),
  ],
});

const USER_ATTRIBUTES: readonly object[] = [
  attribute('userName', {
    description: 'The name of the account.',
    required: true,
    uniqueness: 'server',
  }),
  attribute('name', {
    type: 'complex',
    description: 'The parts of the name of a person.',
    subAttributes: texts({
      formatted: 'The full name.',
      familyName: 'The family name.',
      givenName: 'The given name.',
      middleName: 'The middle names.',
      honorificPrefix: 'The title before the name.',
      honorificSuffix: 'What follows the name.',
    }),
  }),
  ...texts({
    displayName: 'The name that is shown.',
    title: 'The title of the person in the organization.',
    userType: 'The relation to the organization.',
    preferredLanguage: 'The preferred language.',
    locale: 'The locale.',
    timezone: 'The time zone.',
  }),
  attribute('active', {
    type: 'boolean',
    description: 'Whether the account is enabled. True where it is left out.',
    required: true,
  }),
  attribute('emails', oneForWork('The email address for work, else the primary or the first one.')),
  attribute('phoneNumbers', oneForWork('The phone number for work, else the primary or the first one.')),
  attribute('groups', {
    type: 'complex',
    description: 'The groups of the user.',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      attribute('value', { description: 'The id of the group.', mutability: 'readOnly', caseExact: true }),
      attribute('$ref', {
        type: 'reference',
        description: 'The address of the group.',
        mutability: 'readOnly',
        referenceTypes: ['Group'],
        caseExact: true,
      }),
      attribute('display', { description: 'The name of the group.', mutability: 'readOnly' }),
      attribute('type', { description: 'Always direct.', mutability: 'readOnly', canonicalValues: ['direct'] }),
    ],
  }),
];

const ENTERPRISE_LISTED: readonly object[] = [
  ...texts({
    employeeNumber: 'The number of the person.',
    costCenter: 'The cost center.',
    organization: 'The organization.',
    division: 'The division.',
    department: 'The department.',
  }),
  attribute('manager', {
    type: 'complex',
    description: 'The manager of the person.',
    subAttributes: texts({ value: 'The id of the manager.' }),
  }),
];

const GROUP_ATTRIBUTES: readonly object[] = [
  attribute('displayName', { description: 'The name of the group.', required: true }),
  attribute('members', {
    type: 'complex',
    description: 'The users of this source that have it.',
    multiValued: true,
    subAttributes: [
      attribute('value', { description: 'The id of the user.', mutability: 'immutable', caseExact: true }),
      attribute('$ref', {
        type: 'reference',
        description: 'The address of the user.',
        mutability: 'immutable',
        referenceTypes: ['User'],
        caseExact: true,
      }),
      attribute('display', { description: 'The name of the user.', mutability: 'readOnly' }),
      attribute('type', { description: 'Always User.', mutability: 'immutable', canonicalValues: ['User'] }),
    ],
  }),
];

const schema = (root: string, id: string, shape: object): object => ({
  schemas: [SCHEMA_SCHEMA],
  id,
  ...shape,
  meta: { resourceType: 'Schema', location: `${root}/Schemas/${id}` },
});

/** The schemas by id. `root` is the address of the source. */
export const schemasOf = (root: string): ReadonlyMap<string, object> =>
  new Map([
    [USER_SCHEMA, schema(root, USER_SCHEMA, { name: 'User', description: 'An account.', attributes: USER_ATTRIBUTES })],
    [
      GROUP_SCHEMA,
      schema(root, GROUP_SCHEMA, {
        name: 'Group',
        description: 'An entitlement or a role.',
        attributes: GROUP_ATTRIBUTES,
      }),
    ],
    [
      ENTERPRISE_SCHEMA,
      schema(root, ENTERPRISE_SCHEMA, {
        name: 'EnterpriseUser',
        description: 'The account of a member of an organization.',
        attributes: ENTERPRISE_LISTED,
      }),
    ],
  ]);

const resourceType = (root: string, id: string, shape: object): object => ({
  schemas: [TYPE_SCHEMA],
  id,
  name: id,
  endpoint: `/${id}s`,
  ...shape,
  meta: { resourceType: 'ResourceType', location: `${root}/ResourceTypes/${id}` },
});

export const resourceTypesOf = (root: string): ReadonlyMap<string, object> =>
  new Map([
    [
      'User',
      resourceType(root, 'User', {
        description: 'Accounts of the source.',
        schema: USER_SCHEMA,
        schemaExtensions: [{ schema: ENTERPRISE_SCHEMA, required: false }],
      }),
    ],
    [
      'Group',
      resourceType(root, 'Group', {
        description: 'Entitlements or roles of the source.',
        schema: GROUP_SCHEMA,
        schemaExtensions: [],
      }),
    ],
  ]);

export const configOf = (root: string): object => ({
  schemas: [CONFIG_SCHEMA],
  patch: { supported: true },
  bulk: { supported: true, maxOperations: SCIM_BULK_OPERATIONS_MAX, maxPayloadSize: SCIM_BULK_BYTES_MAX },
  filter: { supported: true, maxResults: SCIM_COUNT_MAX },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'An access token with the scope scim:manage, or a static token of a client.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${root}/ServiceProviderConfig` },
});
