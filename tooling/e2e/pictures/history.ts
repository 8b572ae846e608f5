import type { AccessAdminClient } from '@access-admin/client';
import { vi } from 'vitest';
import { addExceptions } from '../console/add-exceptions.ts';
import type { ConsoleOffice } from '../console/office.ts';
import { SHOWN_MS } from './shown-time.ts';

/** Somebody of the sample who holds a conflict for a while before the pictures are taken. */
const PERSON = 'i-0001';
const CONFLICT = { type: 'ENTITLEMENT', id: 'erp-vendor-create' } as const;
/** The violations of the sample, and those of them that its exceptions cover. */
const SAMPLE = 29;
const COVERED = 2;
/** Only ends what hangs. */
const HANG_MS = 60_000;

/** What happens before the pictures are taken: a conflict ends between two scans, exceptions are requested, a policy is changed. */
export async function tellHistory(office: ConsoleOffice): Promise<void> {
  const { client } = office;
  const record = await identityOf(client, PERSON);
  await client.accessModel.import([{ ...record, access: [...(record.access ?? []), CONFLICT] }]);
  await registerHas(client, { open: SAMPLE + 1, mitigated: 0 });
  await scan(client);
  await client.accessModel.import([record]);
  await registerHas(client, { open: SAMPLE, mitigated: 0 });
  await scan(client);
  await addExceptions(office, SHOWN_MS);
  await registerHas(client, { open: SAMPLE - COVERED, mitigated: COVERED });
  await (await office.actAs('requester')).sodPolicies.patch('sod-p2p-01', [
    { op: 'replace', path: '/correctionAdvice', value: 'Treasury releases payments; vendors stay with master data.' },
  ]);
}

async function identityOf({ accessModel }: AccessAdminClient, id: string) {
  for await (const record of accessModel.export())
    if (record.kind === 'identity' && record.id === id && !('delete' in record)) return record;
  throw new Error(`there is no identity ${id}`);
}

async function scan({ sodReports }: AccessAdminClient): Promise<void> {
  const { reportId } = await sodReports.scan();
  await sodReports.waitFor(reportId);
}

/** Waits until the worker has followed. */
async function registerHas(
  { violations }: AccessAdminClient,
  counts: { readonly open: number; readonly mitigated: number },
) {
  await vi.waitUntil(
    async () => {
      const { open, mitigated } = await violations.summary();
      return open === counts.open && mitigated === counts.mitigated;
    },
    { timeout: HANG_MS, interval: 100 },
  );
}
