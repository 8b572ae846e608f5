import type { NewReport } from '../src/index.ts';
import { NOW } from './model-records.ts';

/** A scan that is requested. */
export const newScan = (reportId: string, fields: Partial<NewReport> = {}): NewReport => ({
  tenant: 'acme',
  reportId,
  created: NOW,
  kind: 'SCAN',
  dryRun: null,
  blastRadius: null,
  at: null,
  requestedBy: { clientId: 'c', identityId: null },
  question: {},
  ...fields,
});
