import type { Source } from '../../access/sources/source.ts';
import { type AuditChange, changesBetween } from './event.ts';

/** What a change of a source is recorded as. `modified` of a changed source is left out: it is the time of the event. */
export const sourceChanges = (before: Source | null, after: Source | null): readonly AuditChange[] =>
  changesBetween(before, before === null || after === null ? after : { ...after, modified: before.modified });
