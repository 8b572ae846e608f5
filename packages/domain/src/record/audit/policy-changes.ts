import type { SodPolicy } from '../../policies/model.ts';
import { type AuditChange, changesBetween } from './event.ts';

/** What a change of a policy is recorded as. `modified` and `modifierId` of a changed policy are left out: the event has its time and its actor. */
export const policyChanges = (before: SodPolicy | null, after: SodPolicy | null): readonly AuditChange[] =>
  changesBetween(
    before,
    before === null || after === null ? after : { ...after, modified: before.modified, modifierId: before.modifierId },
  );
