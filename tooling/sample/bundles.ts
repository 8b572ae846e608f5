/** Access profiles: id, name and the entitlements they bundle. */
export const ACCESS_PROFILES: Readonly<
  Record<string, { readonly name: string; readonly entitlements: readonly string[] }>
> = {
  'ap-workplace': {
    name: 'Workplace basics',
    entitlements: ['mail-use', 'office-use', 'wiki-edit', 'exp-claim-submit'],
  },
  'ap-remote-work': { name: 'Remote work', entitlements: ['vpn-connect'] },
  'ap-finance-reading': { name: 'Finance reading', entitlements: ['erp-report-view', 'bank-balance-view'] },
  'ap-vendor-master': {
    name: 'Vendor master',
    entitlements: ['erp-vendor-create', 'erp-vendor-bank-change', 'erp-vendor-block'],
  },
  'ap-purchasing': { name: 'Purchasing', entitlements: ['erp-requisition-create', 'erp-po-create'] },
  'ap-purchase-approval': { name: 'Purchase approval', entitlements: ['erp-po-approve'] },
  'ap-receiving': { name: 'Goods receiving', entitlements: ['erp-goods-receipt'] },
  'ap-stock-counting': { name: 'Stock counting', entitlements: ['erp-inventory-count'] },
  'ap-stock-adjustment': { name: 'Stock adjustment', entitlements: ['erp-inventory-adjust'] },
  'ap-invoice-entry': { name: 'Invoice entry', entitlements: ['erp-invoice-park', 'erp-invoice-enter'] },
  'ap-invoice-approval': { name: 'Invoice approval', entitlements: ['erp-invoice-approve'] },
  'ap-payment-runs': { name: 'Payment runs', entitlements: ['erp-payment-release', 'bank-balance-view'] },
  'ap-order-entry': {
    name: 'Order entry',
    entitlements: ['erp-sales-order-create', 'crm-opportunity-edit', 'crm-discount-request'],
  },
  'ap-customer-master': { name: 'Customer master', entitlements: ['erp-customer-create', 'erp-price-maintain'] },
  'ap-billing': { name: 'Billing', entitlements: ['erp-billing-create', 'erp-credit-memo-create'] },
  'ap-cash-application': { name: 'Cash application', entitlements: ['erp-cash-receipt-post'] },
  'ap-credit-control': { name: 'Credit control', entitlements: ['erp-credit-limit-change', 'erp-sales-order-release'] },
  'ap-journals': { name: 'Journal entry', entitlements: ['erp-journal-enter', 'erp-asset-create'] },
  'ap-closing': { name: 'Closing', entitlements: ['erp-journal-approve', 'erp-period-open-close'] },
  'ap-bank-payments': { name: 'Bank payments', entitlements: ['bank-payment-create', 'bank-template-maintain'] },
  'ap-bank-approval': { name: 'Bank approval', entitlements: ['bank-payment-approve', 'bank-balance-view'] },
  'ap-dealing': { name: 'Dealing', entitlements: ['tms-deal-enter'] },
  'ap-deal-back-office': { name: 'Deal back office', entitlements: ['tms-deal-confirm', 'tms-deal-settle'] },
  'ap-hr-administration': {
    name: 'HR administration',
    entitlements: ['hr-employee-view', 'hr-employee-create', 'hr-termination-process'],
  },
  'ap-compensation': { name: 'Compensation', entitlements: ['hr-employee-view', 'hr-salary-change'] },
  'ap-payroll': { name: 'Payroll', entitlements: ['hr-employee-view', 'hr-payroll-run'] },
  'ap-service-desk': {
    name: 'Service desk',
    entitlements: ['itsm-incident-work', 'ad-password-reset', 'itsm-change-create'],
  },
  'ap-joiners-leavers': { name: 'Joiners and leavers', entitlements: ['ad-account-create', 'ad-group-manage'] },
  'ap-development': { name: 'Development', entitlements: ['scm-repo-write', 'cicd-deploy-test', 'itsm-change-create'] },
  'ap-release': { name: 'Release', entitlements: ['cicd-deploy-prod', 'itsm-change-implement', 'cloud-prod-read'] },
  'ap-cloud-operation': {
    name: 'Cloud operation',
    entitlements: ['cloud-prod-admin', 'cloud-cost-view', 'itsm-incident-work'],
  },
  'ap-database-operation': { name: 'Database operation', entitlements: ['db-prod-admin', 'db-prod-read'] },
  'ap-backup-operation': { name: 'Backup operation', entitlements: ['backup-run', 'backup-restore'] },
  'ap-network-operation': { name: 'Network operation', entitlements: ['fw-rule-implement', 'cloud-network-admin'] },
  'ap-security-monitoring': {
    name: 'Security monitoring',
    entitlements: ['siem-alert-triage', 'siem-rule-edit', 'cloud-prod-read'],
  },
};

interface RoleRow {
  readonly name: string;
  readonly accessProfiles: readonly string[];
  readonly entitlements: readonly string[];
}

/** Roles: id, name and what they bundle. None of them violates a policy by itself. */
export const ROLES: Readonly<Record<string, RoleRow>> = {
  'r-employee': { name: 'Employee', accessProfiles: ['ap-workplace', 'ap-remote-work'], entitlements: [] },
  'r-external': {
    name: 'External worker',
    accessProfiles: ['ap-remote-work'],
    entitlements: ['mail-use', 'wiki-edit'],
  },
  'r-line-manager': {
    name: 'Line manager',
    accessProfiles: [],
    entitlements: ['hr-time-approve', 'exp-claim-approve', 'iga-certify'],
  },
  'r-vendor-master': { name: 'Vendor master data specialist', accessProfiles: ['ap-vendor-master'], entitlements: [] },
  'r-buyer': { name: 'Buyer', accessProfiles: ['ap-purchasing'], entitlements: ['erp-report-view'] },
  'r-purchase-manager': {
    name: 'Purchasing manager',
    accessProfiles: ['ap-purchase-approval', 'ap-finance-reading'],
    entitlements: [],
  },
  'r-warehouse': { name: 'Warehouse clerk', accessProfiles: ['ap-receiving', 'ap-stock-counting'], entitlements: [] },
  'r-stock-controller': {
    name: 'Stock controller',
    accessProfiles: ['ap-stock-adjustment'],
    entitlements: ['erp-report-view'],
  },
  'r-ap-clerk': { name: 'Accounts payable clerk', accessProfiles: ['ap-invoice-entry'], entitlements: [] },
  'r-ap-approver': {
    name: 'Invoice approver',
    accessProfiles: ['ap-invoice-approval', 'ap-finance-reading'],
    entitlements: [],
  },
  'r-payments': { name: 'Payments specialist', accessProfiles: ['ap-payment-runs'], entitlements: [] },
  'r-sales': { name: 'Sales representative', accessProfiles: ['ap-order-entry'], entitlements: [] },
  'r-sales-operations': {
    name: 'Sales operations',
    accessProfiles: ['ap-customer-master'],
    entitlements: ['crm-commission-calculate'],
  },
  'r-credit-controller': {
    name: 'Credit controller',
    accessProfiles: ['ap-credit-control', 'ap-finance-reading'],
    entitlements: [],
  },
  'r-billing-clerk': { name: 'Billing clerk', accessProfiles: ['ap-billing'], entitlements: [] },
  'r-cash-clerk': { name: 'Cash application clerk', accessProfiles: ['ap-cash-application'], entitlements: [] },
  'r-accountant': { name: 'Accountant', accessProfiles: ['ap-journals', 'ap-finance-reading'], entitlements: [] },
  'r-controller': {
    name: 'Financial controller',
    accessProfiles: ['ap-closing', 'ap-finance-reading'],
    entitlements: ['erp-credit-memo-approve'],
  },
  'r-treasury-analyst': {
    name: 'Treasury analyst',
    accessProfiles: ['ap-bank-payments', 'ap-dealing'],
    entitlements: ['bank-balance-view'],
  },
  'r-treasury-back-office': {
    name: 'Treasury back office',
    accessProfiles: ['ap-bank-approval', 'ap-deal-back-office'],
    entitlements: [],
  },
  'r-hr-administrator': { name: 'HR administrator', accessProfiles: ['ap-hr-administration'], entitlements: [] },
  'r-compensation': { name: 'Compensation specialist', accessProfiles: ['ap-compensation'], entitlements: [] },
  'r-payroll': { name: 'Payroll specialist', accessProfiles: ['ap-payroll'], entitlements: [] },
  'r-service-desk': { name: 'Service desk agent', accessProfiles: ['ap-service-desk'], entitlements: [] },
  'r-identity-operations': {
    name: 'Identity operations',
    accessProfiles: ['ap-joiners-leavers'],
    entitlements: ['itsm-incident-work', 'iga-role-edit'],
  },
  'r-developer': { name: 'Developer', accessProfiles: ['ap-development'], entitlements: [] },
  'r-release-manager': { name: 'Release manager', accessProfiles: ['ap-release'], entitlements: [] },
  'r-cloud-engineer': {
    name: 'Cloud engineer',
    accessProfiles: ['ap-cloud-operation'],
    entitlements: ['cloud-key-use'],
  },
  'r-database-administrator': {
    name: 'Database administrator',
    accessProfiles: ['ap-database-operation'],
    entitlements: ['itsm-change-implement'],
  },
  'r-backup-operator': { name: 'Backup operator', accessProfiles: ['ap-backup-operation'], entitlements: [] },
  'r-network-engineer': {
    name: 'Network engineer',
    accessProfiles: ['ap-network-operation'],
    entitlements: ['itsm-change-implement'],
  },
  'r-security-analyst': {
    name: 'Security analyst',
    accessProfiles: ['ap-security-monitoring'],
    entitlements: ['fw-rule-approve'],
  },
  'r-internal-audit': {
    name: 'Internal auditor',
    accessProfiles: ['ap-finance-reading'],
    entitlements: ['exp-claim-audit', 'hr-employee-view', 'db-prod-read'],
  },
};
