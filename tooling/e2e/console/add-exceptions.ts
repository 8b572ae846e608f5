import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@access-admin/harness';
import type { ConsoleOffice } from './office.ts';

interface SampleException {
  readonly policyId: string;
  readonly identityId: string;
  readonly days: number;
  readonly justification: string;
  readonly approved: boolean;
}

const DAY_MS = 86_400_000;
const sample: readonly SampleException[] = JSON.parse(
  readFileSync(join(ROOT, 'tooling/sample/exceptions.json'), 'utf8'),
);

/** Requests the exceptions of the sample from a time on, and approves those that the sample has approved. */
export async function addExceptions({ actAs }: Pick<ConsoleOffice, 'actAs'>, startMs = Date.now()): Promise<void> {
  const requester = await actAs('requester');
  const approver = await actAs('approver');
  const start = new Date(startMs).toISOString();
  for (const { days, approved, ...subject } of sample) {
    const end = new Date(startMs + days * DAY_MS).toISOString();
    const { id } = await requester.sodExceptions.create({ ...subject, start, end });
    if (approved) await approver.sodExceptions.approve(id);
  }
}
