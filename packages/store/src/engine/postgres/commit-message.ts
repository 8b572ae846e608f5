import type { ArisingWork, Commit } from '../commits.ts';
import { SOME_COMMIT } from '../commits.ts';
import { keepsCaches, type Scope } from '../scope.ts';

/** The channel of notifications. A service has its own database. */
export const CHANNEL = 'access_admin';

/** What a notification says. */
interface Message {
  readonly commit: Commit;
  readonly changesCaches: boolean;
  /** The process that knows it already. */
  readonly sender?: string | undefined;
}

const CHANGED = 'changed';
const KINDS: readonly string[] = ['checks', 'events', 'register', 'any', CHANGED] satisfies readonly (
  | ArisingWork
  | typeof CHANGED
)[];
const isKind = (text: string): text is ArisingWork | typeof CHANGED => KINDS.includes(text);

/** The payload that tells other processes of work that has arisen, and of nothing that they have cached. */
export const workMessage = (tenant: string, arising: ArisingWork, sender: string): string =>
  `${arising} ${tenant} ${sender}`;

/** The payload that tells other processes of a change of cached reads. */
export const changeMessage = (scope: Scope, sender: string): string =>
  typeof scope === 'string' ? scope : `${CHANGED} ${scope.tenant} ${sender}`;

/** Any program with access to the database may send anything: what has no known form may have changed all. */
export function parseMessage(payload: string): Message {
  const [kind = '', tenant = '', sender] = payload.split(' ');
  if (!isKind(kind) || tenant === '') return { commit: SOME_COMMIT, changesCaches: true };
  return kind === CHANGED
    ? { commit: { tenant, arising: 'any' }, changesCaches: true, sender }
    : { commit: { tenant, arising: kind }, changesCaches: false, sender };
}

/** The work that arises from a write of a tenant; null where none does. */
export const workAfter = (scope: Scope): ArisingWork | null => {
  if (typeof scope === 'string') return null;
  if (!keepsCaches(scope) || scope.changes === 'reports') return 'any';
  return scope.changes === 'register' ? 'register' : null;
};
