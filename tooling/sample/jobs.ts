import type { AccessRef, Capability } from '@access-admin/domain';

/** One job: its number of people, the access that all of them hold beside everyone's role, and that of a share of them. */
export interface Job {
  readonly title: string;
  readonly count: number;
  readonly access: readonly string[];
  readonly some?: Readonly<Record<string, number>>;
  /** Capabilities of the first people of the job, one list a person. */
  readonly capabilities?: readonly (readonly Capability[])[];
  /** Rights left over from an earlier job, one a person, counted from the second: each breaks a policy. */
  readonly leftovers?: readonly string[];
  readonly identityProfile?: 'ip-access-office' | 'ip-contractors' | 'ip-administrators' | 'ip-services';
}

/** Every job of the sample company, 300 people and services together. Ids of roles begin with `r-`, of access profiles with `ap-`. */
export const JOBS: readonly Job[] = [
  {
    title: 'Payments specialist',
    count: 7,
    access: ['r-payments'],
    leftovers: ['erp-vendor-create', 'erp-payment-propose'],
  },
  {
    title: 'Accounts payable clerk',
    count: 18,
    access: ['r-ap-clerk'],
    some: { 'erp-payment-propose': 0.3 },
    leftovers: ['erp-vendor-bank-change', 'erp-goods-receipt', 'r-ap-approver'],
  },
  { title: 'Vendor master data specialist', count: 5, access: ['r-vendor-master'], leftovers: ['erp-po-create'] },
  {
    title: 'Cost centre owner',
    count: 14,
    access: ['r-ap-approver', 'r-line-manager'],
    some: { 'crm-discount-approve': 0.2 },
  },
  { title: 'Buyer', count: 12, access: ['r-buyer'], leftovers: ['erp-goods-receipt', 'ap-vendor-master'] },
  { title: 'Purchasing manager', count: 4, access: ['r-purchase-manager', 'r-line-manager'], leftovers: ['r-buyer'] },
  { title: 'Warehouse clerk', count: 20, access: ['r-warehouse'], leftovers: ['erp-inventory-adjust'] },
  { title: 'Stock controller', count: 4, access: ['r-stock-controller'] },
  {
    title: 'Sales representative',
    count: 34,
    access: ['r-sales'],
    leftovers: ['erp-price-maintain', 'crm-discount-approve'],
  },
  { title: 'Sales operations specialist', count: 6, access: ['r-sales-operations'] },
  { title: 'Regional head of sales', count: 5, access: ['crm-discount-approve', 'r-line-manager'] },
  { title: 'Credit controller', count: 5, access: ['r-credit-controller'], leftovers: ['erp-customer-create'] },
  { title: 'Billing clerk', count: 8, access: ['r-billing-clerk'], leftovers: ['erp-cash-receipt-post'] },
  { title: 'Cash application clerk', count: 6, access: ['r-cash-clerk'], leftovers: ['erp-receivable-writeoff'] },
  {
    title: 'Accountant',
    count: 13,
    access: ['r-accountant'],
    some: { 'erp-bank-reconcile': 0.4 },
    leftovers: ['erp-period-open-close'],
  },
  {
    title: 'Financial controller',
    count: 6,
    access: ['r-controller', 'r-line-manager'],
    some: { 'erp-asset-dispose': 0.5, 'hr-payroll-approve': 0.3 },
    leftovers: ['ap-journals'],
    capabilities: [['REPORT_ADMIN']],
  },
  { title: 'Treasury analyst', count: 5, access: ['r-treasury-analyst'], leftovers: ['bank-payment-approve'] },
  { title: 'Treasury back office specialist', count: 4, access: ['r-treasury-back-office'] },
  { title: 'HR administrator', count: 8, access: ['r-hr-administrator'], leftovers: ['hr-payroll-run'] },
  { title: 'Compensation specialist', count: 4, access: ['r-compensation'] },
  { title: 'Payroll specialist', count: 4, access: ['r-payroll'], leftovers: ['hr-salary-change'] },
  {
    title: 'Service desk agent',
    count: 12,
    access: ['r-service-desk'],
    some: { 'iga-access-request': 0.5 },
    capabilities: [['HELPDESK'], ['HELPDESK'], ['HELPDESK'], ['HELPDESK']],
  },
  {
    title: 'Identity operations specialist',
    count: 4,
    access: ['r-identity-operations'],
    identityProfile: 'ip-administrators',
    capabilities: [['ORG_ADMIN', 'ROLE_ADMIN'], ['ORG_ADMIN'], ['SOURCE_ADMIN', 'ROLE_SUBADMIN']],
  },
  {
    title: 'Developer',
    count: 34,
    access: ['r-developer'],
    some: { 'scm-merge-approve': 0.4, 'cloud-prod-read': 0.2, 'fw-rule-request': 0.1 },
    leftovers: ['cicd-deploy-prod', 'db-prod-write', 'scm-branch-protect'],
  },
  {
    title: 'Platform engineer',
    count: 4,
    access: ['cicd-pipeline-edit', 'scm-repo-admin', 'scm-branch-protect'],
    some: { 'cicd-secret-edit': 0.5 },
  },
  { title: 'Release manager', count: 3, access: ['r-release-manager'] },
  {
    title: 'Change manager',
    count: 2,
    access: ['itsm-change-approve', 'itsm-incident-work'],
    capabilities: [['SOURCE_SUBADMIN']],
  },
  {
    title: 'Cloud engineer',
    count: 6,
    access: ['r-cloud-engineer'],
    identityProfile: 'ip-administrators',
    capabilities: [['CLOUD_GOV_ADMIN'], ['CLOUD_GOV_USER']],
    leftovers: ['backup-delete'],
  },
  {
    title: 'Database administrator',
    count: 3,
    access: ['r-database-administrator'],
    identityProfile: 'ip-administrators',
    leftovers: ['db-audit-config'],
  },
  {
    title: 'Domain administrator',
    count: 2,
    access: ['ad-domain-admin', 'ad-group-manage'],
    identityProfile: 'ip-administrators',
  },
  {
    title: 'ERP administrator',
    count: 2,
    access: ['erp-user-admin', 'erp-config-transport'],
    identityProfile: 'ip-administrators',
  },
  { title: 'Backup operator', count: 3, access: ['r-backup-operator'], some: { 'backup-retention-edit': 0.3 } },
  { title: 'Network engineer', count: 4, access: ['r-network-engineer'], leftovers: ['fw-rule-approve'] },
  {
    title: 'Security analyst',
    count: 6,
    access: ['r-security-analyst'],
    some: { 'cloud-audit-log-admin': 0.3 },
    capabilities: [['das:ui-auditor']],
  },
  { title: 'Key custodian', count: 2, access: ['cloud-key-manage'], identityProfile: 'ip-administrators' },
  {
    title: 'Compliance officer',
    count: 3,
    access: ['iga-policy-edit', 'iga-certify'],
    identityProfile: 'ip-access-office',
    capabilities: [['POLICY_ADMIN', 'CERT_ADMIN'], ['POLICY_ADMIN', 'REPORT_ADMIN'], ['CERT_ADMIN']],
  },
  {
    title: 'Internal auditor',
    count: 4,
    access: ['r-internal-audit'],
    identityProfile: 'ip-access-office',
    capabilities: [['REPORT_ADMIN'], ['das:ui-auditor', 'das:ui-compliance_manager']],
  },
  {
    title: 'Chief information officer',
    count: 1,
    access: ['r-line-manager'],
    identityProfile: 'ip-access-office',
    capabilities: [['ORG_ADMIN', 'sp:aic-dashboard-read']],
  },
  {
    title: 'External consultant',
    count: 9,
    access: [],
    some: { 'crm-opportunity-edit': 0.2, 'scm-repo-write': 0.3, 'erp-report-view': 0.3 },
    identityProfile: 'ip-contractors',
  },
  { title: 'Service', count: 4, access: ['cicd-deploy-test', 'backup-run'], identityProfile: 'ip-services' },
];

/** The access ref for an id of the catalogue. */
export const refOf = (id: string): AccessRef => {
  if (id.startsWith('r-')) return { type: 'ROLE', id };
  return id.startsWith('ap-') ? { type: 'ACCESS_PROFILE', id } : { type: 'ENTITLEMENT', id };
};
