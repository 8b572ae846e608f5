import { CHECK_BACKLOG_MAX, type CHECKS, checkHeaders, validate } from '@access-admin/contract';
import { fail, failure, validateAccessRefs, validateInstants } from '@access-admin/domain';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import { requestClosed } from '../../http/connection.ts';
import { requestOrigin } from '../../http/request-origin.ts';
import type { Input } from '../../operations/route.ts';
import { streamJson } from '../../streaming/stream-json.ts';
import { backlogFull } from '../answers/backlog-full.ts';
import { readCheckText } from './answer.ts';
import { checkIdOf } from './id-of-key.ts';
import { parsePreferWait } from './prefer.ts';

/** Answers 202 once the check is durably stored; requests with one key get the check of the first. */
export async function startCheck(
  c: RequestContext,
  { caller, query, body: request }: Input<typeof CHECKS.start>,
): Promise<Answer> {
  const { store, reader, system } = c.env.services;
  const includes = query.include;
  const headers = validate(checkHeaders, { 'Idempotency-Key': c.req.header('idempotency-key') ?? null });
  if (!headers.ok) return headers;
  const key = headers.value['Idempotency-Key'];
  const { tenant } = caller;
  const { index, held, timed } = await reader.read(tenant, request.identityId);
  const created = system.now();
  const refs = validateAccessRefs(index, held, request.accessRefs);
  const valid = refs.ok ? validateInstants(timed, { ...request, nowMs: created.getTime() }, includes) : refs;
  const requestId = key === null ? system.newId() : checkIdOf(key, caller, { ...request, includes });
  const check = { tenant, requestId, created: created.toISOString(), ...request, includes, origin: requestOrigin(c) };
  const outcome = valid.ok ? await store.checks.enqueue(check, CHECK_BACKLOG_MAX) : null;
  // An earlier request with the key may have stored it, even if its access items no longer exist.
  const stored = key === null ? null : await store.checks.find(tenant, requestId);
  if (!valid.ok && stored === null) return valid;
  if (outcome === 'backlogFull' && stored === null)
    return backlogFull(`The tenant has ${CHECK_BACKLOG_MAX} pending checks: wait for some of them.`);
  const location = `/sod-violations/v1/check/${requestId}`;
  return c.json({ requestId, created: (stored ?? check).created }, 202, { location });
}

/** The refusal of a check that the tenant does not have. */
export const NO_CHECK = failure('NotFound', '', 'There is no such check.');

/** Answers a check, once it has a result or the caller has waited as long as it wished. */
export async function answerCheck(
  c: RequestContext,
  { caller: { tenant }, params: { requestId } }: Input<typeof CHECKS.get>,
): Promise<Answer> {
  const { awaitCheck, checkResults } = c.env.services;
  const waitSeconds = parsePreferWait(c.req.header('prefer'));
  const waitMs = waitSeconds * 1000;
  const check = await awaitCheck({ tenant, requestId, waitMs, signal: requestClosed(c) });
  if (check === null) return fail(NO_CHECK);
  const text = await readCheckText(checkResults, { tenant, check, hasBody: c.req.method !== 'HEAD' });
  if (!text.ok) return text;
  const headers: Record<string, string> = waitSeconds > 0 ? { 'preference-applied': `wait=${waitSeconds}` } : {};
  if (text.value === null) return c.body(null, 200, { 'content-type': 'application/json', ...headers });
  return streamJson(c, text.value, headers);
}
