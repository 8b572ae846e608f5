import * as initial from './postgres-migrations/0001-initial.ts';
import * as auditLog from './postgres-migrations/0002-audit-log.ts';
import * as auditGuards from './postgres-migrations/0003-audit-guards.ts';
import * as checkInclude from './postgres-migrations/0004-check-include.ts';
import * as sodReports from './postgres-migrations/0005-sod-reports.ts';
import * as sodExceptions from './postgres-migrations/0006-sod-exceptions.ts';
import * as checkMoment from './postgres-migrations/0007-check-moment.ts';
import * as identityRevisions from './postgres-migrations/0008-identity-revisions.ts';

export const POSTGRES_MIGRATIONS = {
  '0001-initial': initial,
  '0002-audit-log': auditLog,
  '0003-audit-guards': auditGuards,
  '0004-check-include': checkInclude,
  '0005-sod-reports': sodReports,
  '0006-sod-exceptions': sodExceptions,
  '0007-check-moment': checkMoment,
  '0008-identity-revisions': identityRevisions,
};
