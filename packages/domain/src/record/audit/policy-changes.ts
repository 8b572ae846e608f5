import type { SodPolicy } from '../../governance/policies/model.ts';
import { type AuditChange, changesBetween } from './event.ts';

/** What a change of a policy is recorded as. `modified` of a changed policy is left out: it is the time of the event. */
export const policyChanges = (before: SodPolicy | null, after: SodPolicy | null): readonly AuditChange[] =>
  changesBetween(before, before === null || after === null ? after : { ...after, modified: before.modified });
