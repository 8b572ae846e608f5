import type { Database } from '../../engine/database.ts';
import { createReportClaims } from './claims.ts';
import { enqueueReport } from './enqueue.ts';
import { readEntries } from './entries.ts';
import { presentIdentities, readBundleNames, readGrantsBySource } from './fix-plan-texts.ts';
import { handOverStep } from './hand-over.ts';
import { countReports, findReport, listReports, measureBacklog, presentPolicies, readPolicies } from './reads.ts';
import type { ReportStore } from './report.ts';
import { createReportResults } from './results.ts';
import { openReportSource, readDataVersion } from './source.ts';
import { countViolations, listViolations } from './violations.ts';

export function createReportStore(database: Database): ReportStore {
  return {
    enqueue: (report, openMax) => enqueueReport(database, report, openMax),
    find: (tenant, reportId) => findReport(database, tenant, reportId),
    list: (tenant, conditions, page) => listReports(database, tenant, { conditions, page }),
    count: (tenant, conditions) => countReports(database, tenant, conditions),
    policies: (key) => readPolicies(database, key),
    listViolations: (key, conditions, page) => listViolations(database, key, { conditions, page }),
    countViolations: (key, conditions) => countViolations(database, key, conditions),
    entries: (key, list) => readEntries(database, key, list),
    handOver: (auditContext, handOver) => handOverStep(database, auditContext, handOver),
    readBundleNames: (tenant, bundles) => readBundleNames(database, tenant, bundles),
    readGrantsBySource: (tenant, identityIds) => readGrantsBySource(database, tenant, identityIds),
    presentIdentities: (tenant, ids) => presentIdentities(database, tenant, ids),
    presentPolicies: (tenant, ids) => presentPolicies(database, tenant, ids),
    readVersion: (tenant) => readDataVersion(database, tenant),
    openSource: (tenant) => openReportSource(database, tenant),
    measureBacklog: () => measureBacklog(database),
    ...createReportClaims(database),
    ...createReportResults(database),
  };
}
