import type { AccessModelInput } from '@access-admin/client';
import { SCOPES } from '@access-admin/domain';
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
export async function openTarget({ apis, connect }: Fleet): Promise<Target> {
  const [api] = apis;
  if (api === undefined) throw new Error('there is no API');
  const application = connect(api);
  await application.accessModel.import(COMPANY);
  await application.accessModel.import(LONG_MODEL);
  const { id, secret } = await application.oauthClients.create({ name: 'proof', scopes: SCOPES });
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const answer = await fetch(`${api.baseAddress}/oauth/token`, { method: 'POST', body });
  const { access_token: token } = (await answer.json()) as { readonly access_token: string };
  return { port: Number(new URL(api.baseAddress).port), token };
}

/** The request lines in the log of an API. */
export const readAnswers = (output: string): readonly string[] =>
  output.split('\n').filter((line) => line.endsWith('"msg":"request"}'));
