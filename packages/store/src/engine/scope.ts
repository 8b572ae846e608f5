import type { AuditContext, Authorization } from '@access-admin/domain';

/** What a write reads and changes of a tenant. */
const TENANT_DATA = [
  'all',
  'auditLog',
  // How far the log is streamed.
  'auditStream',
  'mail',
  // Of reservations, which no process caches.
  'reservations',
  'reports',
  // The parts of open loads.
  'loads',
  'events',
  'checks',
  'register',
  'webhooks',
  'signIn',
  // As `signIn`, for writes that change or end sessions, which are cached.
  'sessions',
  'clientUse',
  // The only writes of a tenant that is being removed.
  'removal',
  // The last rows of a removed tenant. No row records such a write, so it must be one that may run twice.
  'remains',
] as const;

type TenantData = (typeof TENANT_DATA)[number];

export interface TenantScope {
  readonly tenant: string;
  readonly changes: TenantData;
  /** Whether it removes what has ended, and nothing else: it goes on where the tenant is being removed. */
  readonly isSweep?: boolean;
  /** Whether it claims work or extends a lease, so that it need not wait: it is tried again, or the lease ends by itself. */
  readonly isLease?: boolean;
  /** Verified at the start of the transaction, which throws `RightsLost` if it no longer holds. */
  readonly authorization?: Authorization | undefined;
}

/**
 * The data that a write reads and changes: those of a tenant, only some of them, or data without a tenant. Of these, `clientIds`
 * are the tenants of the ids of clients, which no process caches.
 */
export type Scope = TenantScope | 'shared' | 'clientIds';

/** All data of a tenant. */
export const tenantScope = (tenant: string): TenantScope => ({ tenant, changes: 'all' });

/** The author of a write. */
type ChangeContext = Pick<AuditContext, 'tenant' | 'authorization'>;

/** The scope of a change to all data of the caller's tenant, or to a part. */
export const changeScope = (
  { tenant, authorization }: ChangeContext,
  changes: TenantScope['changes'] = 'all',
): TenantScope => ({ tenant, changes, authorization });

/** Whether a write changes no cached read, so that no other process has to know of it. */
export const keepsCaches = (scope: Scope): boolean =>
  typeof scope === 'string'
    ? scope === 'clientIds'
    : scope.changes !== 'all' && scope.changes !== 'sessions' && !isOfRemoval(scope);

/** Whether a write is one of those that remove the whole tenant. */
export const isOfRemoval = (scope: Scope): boolean =>
  typeof scope !== 'string' && (scope.changes === 'removal' || scope.changes === 'remains');

/** The tenant whose removal makes the write fail; null where removal does not matter. */
export const presentTenantOf = (scope: Scope): string | null =>
  typeof scope === 'string' || isOfRemoval(scope) || scope.isSweep ? null : scope.tenant;

/**
 * The line of a write within its tenant: writes of one line run one after the other, and those of different lines do not block
 * each other. The empty line is that of everything but the stream of the audit log, mails, reports, parts of loads, the register, events, webhooks and sign-ins.
 */
export const lineOf = ({ changes }: TenantScope): string => LINE_OF[changes] ?? changes;

const LINE_OF: Partial<Record<TenantData, string>> = {
  all: '',
  auditLog: '',
  reservations: '',
  sessions: 'signIn',
  remains: 'removal',
};

/** The names of queues without a tenant. No tenant has such a name. */
const SHARED_QUEUES = { shared: '', clientIds: ' clientIds' } as const;

/** All lines of a tenant. */
export const LINES: readonly string[] = [...new Set(TENANT_DATA.map((changes) => lineOf({ tenant: '', changes })))];

/** Writes with the same queue name run one after the other. */
export const queueNameOf = (scope: Scope): string =>
  typeof scope === 'string' ? SHARED_QUEUES[scope] : queueOf(scope.tenant, lineOf(scope));

const queueOf = (tenant: string, line: string): string => (line === '' ? tenant : `${tenant} ${line}`);

/** The names of all queues of a tenant. */
export const queueNamesOf = (tenant: string): readonly string[] => LINES.map((line) => queueOf(tenant, line));
