import type { AuditEvent } from '@access-admin/client';

/** What an entry says that was done. */
export const VERBS = [
  'created',
  'changed',
  'deleted',
  'imported',
  'approved',
  'revoked',
  'reassigned',
  'controlled',
  'rotated',
  'invited',
  'capabilities',
  'secured',
  'unlocked',
  'locked',
  'signedIn',
  'signedOut',
  'ended',
  'started',
  'sent',
  'read',
  'used',
] as const;
export type Verb = (typeof VERBS)[number];

/** The verbs of operations whose names do not say them by their beginning. */
const OF_OPERATIONS: Readonly<Record<string, Verb>> = {
  'approve-sod-exception-v1': 'approved',
  'revoke-sod-exception-v1': 'revoked',
  'reassign-violation-v1': 'reassigned',
  'apply-control-v1': 'controlled',
  'rotate-oauth-client-secret-v1': 'rotated',
  'rotate-webhook-secret-v1': 'rotated',
  'rotate-signing-key': 'rotated',
  'replace-bootstrap-secret': 'rotated',
  'create-sign-in-link-v1': 'invited',
  'unlock-auth-user-v1': 'unlocked',
  'sign-in': 'signedIn',
  'sign-in-blocked': 'signedIn',
  'sign-out': 'signedOut',
  'end-session-v1': 'ended',
  'end-session': 'ended',
  'remove-credentials-v1': 'secured',
  'remove-credential-v1': 'secured',
  'set-password': 'secured',
  'add-passkey': 'secured',
  'remove-passkey': 'secured',
  'add-authenticator': 'secured',
  'remove-authenticator': 'secured',
  'renew-recovery-codes': 'secured',
};

const OF_BEGINNINGS: readonly (readonly [beginning: RegExp, verb: Verb])[] = [
  [/^create-/, 'created'],
  [/^(?:patch|put|set)-/, 'changed'],
  [/^delete-/, 'deleted'],
  [/^start-/, 'started'],
  [/^(?:test|resend|replay)-/, 'sent'],
  [/^(?:get|list|export|lint|decide)-/, 'read'],
];

/** What was done, as the operation and the changes of an entry say it. */
export function verbOf({ operation, resource, changes, outcome }: AuditEvent): Verb {
  if (resource.type === 'AUTH_USER' && changes.some(({ field }) => field === 'capabilities')) return 'capabilities';
  if (changes.some(({ field, before, after }) => field === 'lockedUntil' && before === null && after !== null))
    return 'locked';
  if (resource.type === 'SESSION' && changes.some(({ before }) => before === null)) return 'signedIn';
  if (resource.type === 'SESSION' && operation !== 'sign-out') return 'ended';
  const known = Object.hasOwn(OF_OPERATIONS, operation) ? OF_OPERATIONS[operation] : undefined;
  if (known !== undefined) return known;
  if (operation.startsWith('import-')) return resource.type === 'ACCESS_MODEL' ? 'imported' : whatHappened(changes);
  const verb = OF_BEGINNINGS.find(([beginning]) => beginning.test(operation))?.[1] ?? 'used';
  return verb === 'changed' && outcome === 'ALLOWED' ? whatHappened(changes) : verb;
}

function whatHappened(changes: AuditEvent['changes']): Verb {
  const isNew = changes.length > 0 && changes.every(({ field, before }) => before === null && IDENTIFYING.has(field));
  const isCreation = changes.some(({ field, before }) => before === null && IDENTIFYING.has(field));
  const isDeletion = changes.some(({ field, after }) => after === null && IDENTIFYING.has(field));
  if (isNew || isCreation) return 'created';
  return isDeletion ? 'deleted' : 'changed';
}

/** Each record has one of these as long as it exists. */
const IDENTIFYING: ReadonlySet<string> = new Set(['id', 'name', 'uid']);

/** The name of a resource as an entry has it, for one that is gone: the one after a change, or that before a deletion. */
export function nameIn({ changes }: AuditEvent): string | null {
  for (const field of ['displayName', 'name']) {
    const change = changes.find((each) => each.field === field);
    const name = change?.after ?? change?.before;
    if (typeof name === 'string') return name;
  }
  return null;
}
