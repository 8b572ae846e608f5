/** The properties whose texts, or lists of texts, are ids of identities: in answers, in events and in entries of the audit log. */
export const PERSON_IDS: ReadonlySet<string> = new Set([
  'approverId',
  'candidates',
  'creatorId',
  'identityId',
  'identityIds',
  'linkMakerId',
  'madeIdentityId',
  'modifierId',
  'ownerId',
  'requesterId',
  'revokerId',
]);

/** The properties that are references to identities, or lists of them, although these may lack their type. */
export const PERSON_REFS: ReadonlySet<string> = new Set(['owner', 'ownerRef', 'secondaryOwners', 'secondaryOwnerRefs']);

/** The properties with texts of callers by their own names, of which one that equals the id of a person is taken for it. */
export const CALLER_TEXTS: ReadonlySet<string> = new Set(['clientMetadata']);

/** The properties whose texts are those of a person, in an object about one. */
export const PERSON_TEXTS: ReadonlySet<string> = new Set([
  'address',
  'alias',
  'attributes',
  'displayName',
  'email',
  'externalId',
  'firstname',
  'identificationNumber',
  'lastname',
  'name',
  'passkey',
  'personalEmail',
  'phone',
  'uid',
  'workPhone',
]);

/** The types of resources whose ids are those of identities. */
const PERSON_TYPES: ReadonlySet<unknown> = new Set(['IDENTITY', 'AUTH_USER']);

/** Whether the id of an object of this type is that of an identity. */
export const isPersonType = (type: unknown): boolean => PERSON_TYPES.has(type);

/** Whether an object without a type is about a person: of what has an id, others have no name to display, but accounts, which have a `source`. */
export const isPersonRecord = (object: object): boolean =>
  Object.hasOwn(object, 'displayName') && !Object.hasOwn(object, 'source');
