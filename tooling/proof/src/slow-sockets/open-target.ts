import type { AccessModelInput } from '@access-admin/client';
import { COMPANY } from '../load/company.ts';
import type { Fleet } from '../service/open-fleet.ts';
import type { Target } from './slow-socket.ts';

const LONG_TEXT = 'x'.repeat(4000);
const LONG_POLICIES = 1000;

/** Policies that make an export longer than all buffers between two processes: about 12 MB. */
const LONG_MODEL: readonly AccessModelInput[] = Array.from({ length: LONG_POLICIES }, (_, number) => ({
  kind: 'sodPolicy',
  id: `p-long-${number}`,
  name: `Long policy ${number}`,
  state: 'NOT_ENFORCED',
  description: LONG_TEXT,
  compensatingControls: LONG_TEXT,
  correctionAdvice: LONG_TEXT,
  conflictingAccessCriteria: {
    leftCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e-left' }] },
    rightCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e-right' }] },
  },
}));

/** Fills the tenant, and requests a token for every operation. */
export async function openTarget({ api, root, register }: Fleet): Promise<Target> {
  await root.accessModel.import(COMPANY);
  await root.accessModel.import(LONG_MODEL);
  const { token } = await register();
  return { port: Number(new URL(api.baseAddress).port), token };
}

/** The request lines in the log of an API. */
export const readAnswers = (output: string): readonly string[] =>
  output.split('\n').filter((line) => line.endsWith('"msg":"request"}'));
