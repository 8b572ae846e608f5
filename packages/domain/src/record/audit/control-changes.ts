import type { Control } from '../../governance/controls/model.ts';
import { type AuditChange, changesBetween } from './event.ts';

/** What a change of a control is recorded as. `modified` of a changed control is left out: it is the time of the event. */
export const controlChanges = (before: Control | null, after: Control | null): readonly AuditChange[] =>
  changesBetween(before, before === null || after === null ? after : { ...after, modified: before.modified });
