import { changedAssignments } from '../../access/model/assignments.ts';
import type { Account } from '../../access/sources/account.ts';
import { equalJson } from '../../basics/json-patch/value.ts';
import { keysOf } from '../../basics/objects/keys-of.ts';
import type { AuditChange } from './event.ts';

type Recorded = Exclude<keyof Account, 'key' | 'access' | 'candidates' | 'madeIdentityId'>;

const RECORDED: readonly Recorded[] = keysOf({
  attributes: 0,
  correlation: 0,
  disabled: 0,
  displayName: 0,
  email: 0,
  id: 0,
  identityId: 0,
  name: 0,
  source: 0,
} satisfies Record<Recorded, 0>);

/** What the audit log tells of a changed account: the properties that differ, and the refs that it gained and lost. Null for nothing. */
export function accountChange({ before, after, fault = null }: ChangedAccount): AuditChange | null {
  const field = (before ?? after)?.key ?? '';
  const differing = RECORDED.filter((name) => !equalJson(before?.[name] ?? null, after?.[name] ?? null));
  const access = changedAssignments(before?.access ?? [], after?.access ?? []);
  if (differing.length === 0 && access === null) return null;
  const pick = (account: Account | null) =>
    account === null ? null : Object.fromEntries(differing.map((name) => [name, account[name] ?? null]));
  return {
    field,
    before: pick(before),
    after: fault === null ? pick(after) : { ...pick(after), fault },
    ...(access === null || access.added.length === 0 ? {} : { added: access.added }),
    ...(access === null || access.removed.length === 0 ? {} : { removed: access.removed }),
  };
}

/** An account before and after a change; null where it does not exist. */
export interface ChangedAccount {
  readonly before: Account | null;
  readonly after: Account | null;
  /** Why its source could not make an identity of it; null or left out for no such thing. */
  readonly fault?: string | null;
}
