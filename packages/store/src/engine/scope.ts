/** What a write reads and changes of a tenant. `sessions` is `signIn` for writes that change or end sessions, which are cached. */
type TenantData =
  | 'all'
  | 'auditLog'
  | 'reports'
  | 'events'
  | 'register'
  | 'moment'
  | 'webhooks'
  | 'signIn'
  | 'sessions';

interface TenantScope {
  readonly tenant: string;
  readonly changes: TenantData;
}

/** The data that a write reads and changes: those of a tenant, only some of them, or data without a tenant. */
export type Scope = TenantScope | 'shared';

/** All data of a tenant. */
export const tenantScope = (tenant: string): TenantScope => ({ tenant, changes: 'all' });

/** Whether a write changes no cached read, so that no process has to be told of it. */
export const keepsCaches = (scope: Scope): boolean =>
  scope !== 'shared' && scope.changes !== 'all' && scope.changes !== 'sessions';

/** Writes with the same queue name run one after the other. Writes of reports, of the register and of sign-ins do not block other writes of the tenant. */
export const queueNameOf = (scope: Scope): string =>
  scope === 'shared'
    ? ''
    : scope.changes === 'all' || scope.changes === 'auditLog'
      ? scope.tenant
      : `${scope.tenant} ${scope.changes === 'sessions' ? 'signIn' : scope.changes}`;

/** The tenant of the writes with this queue name. */
export const tenantOfQueue = (queueName: string): string => queueName.split(' ', 1)[0] ?? '';
