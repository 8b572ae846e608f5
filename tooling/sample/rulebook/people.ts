import type { PolicyRow } from './policy-row.ts';

/** Policies on hiring, payroll and expenses. */
export const PEOPLE: readonly PolicyRow[] = [
  {
    id: 'sod-hr-01',
    name: 'Hiring and payroll',
    level: 'HIGH',
    left: ['hire', 'hr-employee-create'],
    right: ['pay', 'hr-payroll-run', 'hr-payroll-approve'],
    risk: 'One person could pay an employee who does not exist.',
    advice: 'Keep hiring in HR administration and payroll in payroll.',
    controls: 'Headcount reconciliation each month.',
    reference: 'SOX-HR-01',
    tags: ['hr', 'payroll', 'fraud'],
  },
  {
    id: 'sod-hr-02',
    name: 'Salary and payroll',
    level: 'HIGH',
    left: ['change pay data', 'hr-salary-change', 'hr-bank-change'],
    right: ['pay', 'hr-payroll-run', 'hr-payroll-approve'],
    risk: 'One person could raise a salary, or redirect it, and pay it.',
    advice: 'Change salaries in compensation only.',
    reference: 'SOX-HR-02',
    tags: ['hr', 'payroll', 'fraud'],
  },
  {
    id: 'sod-hr-03',
    name: 'Payroll run and approval',
    level: 'CRITICAL',
    left: ['run payroll', 'hr-payroll-run'],
    right: ['approve payroll', 'hr-payroll-approve'],
    risk: 'A payroll would leave the house without a second pair of eyes.',
    advice: 'Approve payroll in controlling.',
    reference: 'SOX-HR-03',
    tags: ['hr', 'payroll'],
  },
  {
    id: 'sod-exp-01',
    name: 'Expense approval and audit',
    level: 'LOW',
    left: ['approve claims', 'exp-claim-approve', 'exp-policy-edit'],
    right: ['audit claims', 'exp-claim-audit'],
    risk: 'Auditors would audit themselves.',
    advice: 'Take approval from auditors for the time of the audit.',
    tags: ['finance', 'audit'],
  },
];
