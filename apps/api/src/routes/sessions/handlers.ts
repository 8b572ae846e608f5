import { parseFilters, SESSION_FILTERS } from '@access-admin/contract';
import { type Failure, mayAdminister, ok, type Result } from '@access-admin/domain';
import type { SessionQuery, Store } from '@access-admin/store';
import { auditContextOfRequest, type OperationHandler, type OperationHandlers } from '../../operations/operation.ts';
import { livingSince } from '../../sessions/times.ts';
import { answerList, queryOf } from '../answers/list.ts';
import { onceOf } from '../answers/once-of.ts';
import { showSession } from './show.ts';

export interface SessionDeps {
  readonly store: Pick<Store, 'sessions' | 'signInSettings'>;
  readonly baseAddress: string;
  readonly now: () => Date;
}

export const sessionHandlers = (deps: SessionDeps) =>
  ({
    'list-sessions-v1': listSessions(deps),
    'end-session-v1': endSession(deps),
  }) satisfies Partial<OperationHandlers>;

/** list-sessions-v1 */
const listSessions =
  ({ store: { sessions, signInSettings }, baseAddress, now }: SessionDeps): OperationHandler =>
  async (request) => {
    const { caller } = request;
    const filtered = parseIdentityId(queryOf(request));
    if (!filtered.ok) return filtered;
    const own = mayAdminister('list-sessions-v1', caller) ? null : caller.identityId;
    const { session: config } = await signInSettings.read(caller.tenant);
    const wanted = [own, ...filtered.value].filter((id) => id !== null);
    // Two different identities have no session together.
    const isEmpty = new Set(wanted).size > 1;
    const [identityId] = wanted;
    const query: SessionQuery = {
      ...livingSince(now().getTime(), config),
      ...(identityId === undefined ? {} : { identityId }),
    };
    return answerList(request, baseAddress, {
      list: async (page) =>
        isEmpty ? [] : (await sessions.list(caller.tenant, query, page)).map((each) => showSession(each, config)),
      count: async () => (isEmpty ? 0 : sessions.count(caller.tenant, query)),
    });
  };

function parseIdentityId(query: URLSearchParams): Result<readonly string[], Failure> {
  const filters = onceOf(query, 'filters');
  if (!filters.ok) return filters;
  const conditions = filters.value === null ? ok([]) : parseFilters(filters.value, SESSION_FILTERS);
  return conditions.ok ? ok(conditions.value.flatMap(({ values }) => values)) : conditions;
}

/** end-session-v1 */
const endSession =
  ({ store: { sessions }, now }: SessionDeps): OperationHandler =>
  async (request) => {
    const ended = await sessions.end(auditContextOfRequest(request, now()), request.params['id'] ?? '');
    return ended.ok ? ok({ isEmpty: true }) : ended;
  };
