import { type AuditEvent, ERASURE_OPERATION } from '@access-admin/domain';

/** The version of the schema whose classes the records have. */
const OCSF_VERSION = '1.3.0';
const PRODUCT = { name: 'access-admin', vendor_name: 'access-admin' };

// The classes of the category Identity & Access Management, and that of the category Application Activity.
const ACCOUNT_CHANGE = { class_uid: 3001, class_name: 'Account Change', category_uid: 3 } as const;
const AUTHENTICATION = { class_uid: 3002, class_name: 'Authentication', category_uid: 3 } as const;
const API_ACTIVITY = { class_uid: 6003, class_name: 'API Activity', category_uid: 6 } as const;

const OTHER = 99;
const INFORMATIONAL = 1;
const LOW = 2;

/** The resources that are accounts of persons and what they may do. */
const ACCOUNTS: ReadonlySet<AuditEvent['resource']['type']> = new Set(['AUTH_USER', 'IDENTITY', 'ACCOUNT']);

/**
 * An audit event as a record of OCSF 1.3: Account Change for changes of auth users, identities and accounts, Authentication for
 * sign-ins and the ends of sessions, and API Activity for all others. The whole event is in `unmapped`.
 */
export function toOcsf(event: AuditEvent): object {
  const { actor, outcome, tenant, time, trackingId } = event;
  const occurredMs = Date.parse(time);
  const isDenied = outcome === 'DENIED';
  const { activity_id, ...of } = classOf(event);
  return {
    activity_id,
    type_uid: of.class_uid * 100 + activity_id,
    ...of,
    time: occurredMs,
    severity_id: isDenied ? LOW : INFORMATIONAL,
    status_id: isDenied ? 2 : 1,
    status: isDenied ? 'Failure' : 'Success',
    actor: {
      app_uid: actor.clientId,
      ...(actor.identityId === null ? {} : { user: { uid: actor.identityId } }),
    },
    metadata: {
      version: OCSF_VERSION,
      product: PRODUCT,
      uid: event.hash,
      tenant_uid: tenant,
      correlation_uid: trackingId,
    },
    unmapped: event,
  };
}

function classOf(event: AuditEvent) {
  const { actor, operation, resource } = event;
  if (operation === 'sign-in' || resource.type === 'SIGN_IN' || resource.type === 'SESSION') {
    const activity_id = operation === 'sign-in' ? 1 : isEndOfSession(operation) ? 2 : OTHER;
    return { ...AUTHENTICATION, activity_id, user: userOf(actor.identityId ?? resource.id) };
  }
  if (ACCOUNTS.has(resource.type) && event.changes.length > 0)
    return { ...ACCOUNT_CHANGE, activity_id: accountActivityOf(event), user: userOf(resource.id) };
  return {
    ...API_ACTIVITY,
    activity_id: apiActivityOf(event),
    api: { operation },
    src_endpoint: { svc_name: actor.clientId },
    resources: [{ type: resource.type, ...(resource.id === null ? {} : { uid: resource.id }) }],
  };
}

/** The schema requires a user with at least one property. */
const userOf = (id: string | null) => (id === null ? { name: 'unknown' } : { uid: id });

const isEndOfSession = (operation: string): boolean => operation === 'sign-out' || operation.startsWith('end-session');

/** What every identity and every account has. */
const NAMES: ReadonlySet<string> = new Set(['uid', 'name']);

const CREATE = 1;
const DELETE = 6;

/** Create, Delete, also for the erasure of a person, or Other for what changes an account otherwise. */
function accountActivityOf({ changes, operation, resource }: AuditEvent): number {
  if (operation === ERASURE_OPERATION) return DELETE;
  // In an event about several resources, fields are ids.
  const named = resource.id === null ? undefined : changes.find(({ field }) => NAMES.has(field));
  if (named?.before === null) return CREATE;
  return named?.after === null ? DELETE : OTHER;
}

const API_ACTIVITIES: readonly (readonly [RegExp, number])[] = [
  [/^(create|start|request|reserve|import)-/, 1],
  [/^(get|list|read|export|find|search|predict)-/, 2],
  [/^(put|patch|update|rotate|reassign|approve|decide|unlock)-/, 3],
  [/^(delete|remove|end|revoke|erase)-/, 4],
];

/** Create, Read, Update or Delete by the verb of the operation, otherwise Other. */
const apiActivityOf = ({ operation }: AuditEvent): number =>
  API_ACTIVITIES.find(([verb]) => verb.test(operation))?.[1] ?? OTHER;
