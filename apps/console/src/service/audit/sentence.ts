import type { AuditEvent } from '@access-admin/client';

/** What an entry says that was done. */
export const VERBS = [
  'created',
  'changed',
  'deleted',
  'erased',
  'imported',
  'requested',
  'approved',
  'refused',
  'withdrawn',
  'revoked',
  'reassigned',
  'handedOver',
  'controlled',
  'rotated',
  'invited',
  'capabilities',
  'secured',
  'unlocked',
  'locked',
  'addressLocked',
  'signedIn',
  'attempted',
  'signedOut',
  'ended',
  'settled',
  'released',
  'started',
  'sent',
  'read',
  'tried',
  'predicted',
  'used',
] as const;
export type Verb = (typeof VERBS)[number];

/** Those whose sentences name a person, and have another form where the person is the actor. */
const OF_PEOPLE = ['invited', 'capabilities', 'secured', 'unlocked'] as const satisfies readonly Verb[];

/** Whether a verb is one of what is done to a person. */
export const isOfPeople = (verb: Verb): verb is (typeof OF_PEOPLE)[number] => OF_PEOPLE.some((each) => each === verb);

/** The verbs of operations whose names do not say them by their beginning. */
const OF_OPERATIONS: Readonly<Record<string, Verb>> = {
  'create-sod-exception-v1': 'requested',
  'approve-sod-exception-v1': 'approved',
  'revoke-sod-exception-v1': 'revoked',
  'settle-sod-reservation-v1': 'settled',
  'delete-sod-reservation-v1': 'released',
  'reassign-violation-v1': 'reassigned',
  'hand-over-sod-fix-step-v1': 'handedOver',
  'apply-control-v1': 'controlled',
  'rotate-signing-key': 'created',
  'replace-bootstrap-secret': 'rotated',
  'create-sign-in-link-v1': 'invited',
  'unlock-auth-user-v1': 'unlocked',
  'erase-identity-v1': 'erased',
  'sign-in': 'signedIn',
  'sign-in-blocked': 'signedIn',
  'sign-out': 'signedOut',
  'decide-sign-in-v1': 'tried',
  'end-session-v1': 'ended',
  'end-session': 'ended',
  'set-password': 'secured',
};

const OF_BEGINNINGS: readonly (readonly [beginning: RegExp, verb: Verb])[] = [
  [/^create-/, 'created'],
  [/^(?:patch|put|set)-/, 'changed'],
  [/^delete-/, 'deleted'],
  [/^rotate-/, 'rotated'],
  [/^(?:add|remove|renew)-/, 'secured'],
  [/^start-predict-/, 'predicted'],
  [/^start-/, 'started'],
  [/^(?:test|resend|replay)-/, 'sent'],
  [/^(?:get|list|export|lint|decide|evaluate|search)-/, 'read'],
];

/** What was done, as the operation and the changes of an entry say it. */
export function verbOf({ operation, resource, changes, outcome }: AuditEvent): Verb {
  if (resource.type === 'AUTH_USER' && changes.some(({ field }) => field === 'capabilities')) return 'capabilities';
  if (changes.some(({ field, before, after }) => field === 'lockedUntil' && before === null && after !== null))
    return resource.id === null ? 'addressLocked' : 'locked';
  if (resource.type === 'SESSION' && changes.some(({ before }) => before === null)) return 'signedIn';
  if (resource.type === 'SESSION' && changes.length > 0 && operation !== 'sign-out') return 'ended';
  if (resource.type === 'SOD_EXCEPTION') {
    const state = changes.find(({ field }) => field === 'state');
    if (state?.after === 'REVOKED') return state.before === 'REQUESTED' ? 'refused' : 'revoked';
  }
  // The deletion of what is reserved releases it.
  if (
    resource.type === 'SOD_RESERVATION' &&
    changes.some(({ field, after }) => field === 'state' && after === 'RELEASED')
  )
    return 'released';
  const known = Object.hasOwn(OF_OPERATIONS, operation) ? OF_OPERATIONS[operation] : undefined;
  if (known === 'signedIn' && resource.id === null) return 'attempted';
  if (known !== undefined) return known;
  if (operation.startsWith('import-')) return resource.type === 'ACCESS_MODEL' ? 'imported' : whatHappened(changes);
  const verb = OF_BEGINNINGS.find(([beginning]) => beginning.test(operation))?.[1] ?? 'used';
  if (outcome === 'DENIED') return verb;
  // A deletion changes what was tied to the resource too. That of a tenant is told by no properties.
  const mayBeTied = verb === 'deleted' && changes.length > 0 && resource.type !== 'TENANT';
  return verb === 'changed' || mayBeTied ? whatHappened(changes) : verb;
}

function whatHappened(changes: AuditEvent['changes']): Verb {
  const isCreation = changes.some(({ field, before }) => before === null && IDENTIFYING.has(field));
  const isDeletion = changes.some(({ field, after }) => after === null && IDENTIFYING.has(field));
  if (isCreation) return 'created';
  return isDeletion ? 'deleted' : 'changed';
}

/** Each record has one of these as long as it exists. */
const IDENTIFYING: ReadonlySet<string> = new Set(['id', 'name', 'uid']);

/** The id of the identity that an entry is about; of a session, the id of its holder. Null where the entry names no identity. */
export function personIn({ resource: { type, id }, changes }: AuditEvent): string | null {
  if (type === 'AUTH_USER' || type === 'IDENTITY') return id;
  if (type !== 'SESSION') return null;
  const change = changes.find(({ field }) => field === 'identityId');
  const holder = change?.after ?? change?.before;
  return typeof holder === 'string' ? holder : null;
}

/** The name of a resource as an entry has it, for one that is gone: the one after a change, or that before a deletion. */
export function nameIn({ changes }: AuditEvent): string | null {
  for (const field of ['displayName', 'name']) {
    const change = changes.find((each) => each.field === field);
    const name = change?.after ?? change?.before;
    if (typeof name === 'string') return name;
  }
  return null;
}
