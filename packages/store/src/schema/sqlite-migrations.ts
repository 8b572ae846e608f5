import * as initial from './migrations/0001-initial.ts';
import * as rulebookChanges from './migrations/0002-rulebook-changes.ts';
import * as fairQueue from './migrations/0003-fair-queue.ts';
import * as auditLog from './migrations/0004-audit-log.ts';
import * as auditGuards from './migrations/0005-audit-guards.ts';
import * as checkInclude from './migrations/0006-check-include.ts';
import * as sodReports from './migrations/0007-sod-reports.ts';
import * as sodExceptions from './migrations/0008-sod-exceptions.ts';
import * as checkMoment from './migrations/0009-check-moment.ts';
import * as identityRevisions from './migrations/0010-identity-revisions.ts';

export const SQLITE_MIGRATIONS = {
  '0001-initial': initial,
  '0002-rulebook-changes': rulebookChanges,
  '0003-fair-queue': fairQueue,
  '0004-audit-log': auditLog,
  '0005-audit-guards': auditGuards,
  '0006-check-include': checkInclude,
  '0007-sod-reports': sodReports,
  '0008-sod-exceptions': sodExceptions,
  '0009-check-moment': checkMoment,
  '0010-identity-revisions': identityRevisions,
};
