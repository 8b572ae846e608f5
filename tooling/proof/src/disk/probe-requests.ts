import { capabilitiesOf, GRANT } from '../load/company.ts';

const RESULT_WAIT_SECONDS = 20;
/** Replaces the status of an answer that did not arrive completely. */
export const INCOMPLETE_STATUS = 0;

export interface ProbeRequest {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
  readonly prefer?: string;
}

export interface ProbeAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
  readonly endedMs: number;
}

/** Sends one request once. */
export type Send = (request: ProbeRequest) => Promise<ProbeAnswer>;

const get = (path: string): ProbeRequest => ({ method: 'GET', path });
const post = (path: string, body: unknown, type = 'application/json'): ProbeRequest => ({
  method: 'POST',
  path,
  type,
  body: JSON.stringify(body),
});

export const CHECK = post('/sod-violations/v1/check', GRANT);
export const PREDICT = post('/sod-violations/v1/predict', GRANT);
export const EXPORT = get('/access-model/v1/export');
export const READS = [get('/healthz'), get('/readyz'), get('/auth-users/v1/i-ada'), PREDICT, EXPORT];

/** Writes that each change something, because a write without a change needs no disk. */
export const writesOf = (number: number): readonly ProbeRequest[] => [
  CHECK,
  {
    method: 'PATCH',
    path: '/auth-users/v1/i-ben',
    type: 'application/json-patch+json',
    body: JSON.stringify([{ op: 'replace', path: '/capabilities', value: capabilitiesOf(number) }]),
  },
  post(
    '/access-model/v1/import',
    { kind: 'entitlement', id: 'e-probe', name: `Probe ${number}` },
    'application/x-ndjson',
  ),
];

/** A read that is answered when the accepted check is done. */
export const resultOf = (accepted: ProbeAnswer): ProbeRequest => ({
  ...get(`/sod-violations/v1/check/${Object(JSON.parse(accepted.text)).requestId}`),
  prefer: `wait=${RESULT_WAIT_SECONDS}`,
});

/** Whether an answer is a 503 in the common error shape, with Retry-After unless it says that the outcome is unknown. */
export function isExactRefusal({ status, retryAfter, text }: ProbeAnswer): boolean {
  if (status !== 503 || (retryAfter === null ? !text.includes('is not known') : !/^[1-9]\d*$/.test(retryAfter)))
    return false;
  const { detailCode, trackingId, messages, causes } = Object(JSON.parse(text));
  const [message] = Array.isArray(messages) ? messages : [];
  return (
    detailCode === '503' &&
    /^[0-9a-f-]{32,36}$/.test(String(trackingId)) &&
    typeof Object(message).text === 'string' &&
    Array.isArray(causes)
  );
}

/** Sends to one API with a token. */
export const createSend =
  (baseAddress: string, token: string): Send =>
  async ({ method, path, type, body, prefer }) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'x-service-experimental': 'true',
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(prefer === undefined ? {} : { prefer }),
    };
    try {
      const answer = await fetch(baseAddress + path, { method, headers, ...(body === undefined ? {} : { body }) });
      const text = await answer.text();
      const retryAfter = answer.headers.get('retry-after');
      return { status: answer.status, retryAfter, text, endedMs: performance.now() };
    } catch (error) {
      return { status: INCOMPLETE_STATUS, retryAfter: null, text: String(error), endedMs: performance.now() };
    }
  };
