import { mayAdminister, ok } from '@access-admin/domain';
import type { SessionQuery, SessionStore, SignInSettingsStore } from '@access-admin/store';
import { answerList } from '../../operations/answers.ts';
import { auditContextOfRequest, type OperationHandlers } from '../../operations/operation.ts';
import { livingSince } from '../../sessions/times.ts';
import { showSession } from './show.ts';

export interface SessionParts {
  readonly sessions: SessionStore;
  readonly settings: Pick<SignInSettingsStore, 'read'>;
  readonly baseAddress: string;
  readonly now: () => Date;
}

export const sessionHandlers = ({ sessions, settings, baseAddress, now }: SessionParts) =>
  ({
    'list-sessions-v1': async (request) => {
      const { caller, operation } = request;
      const own = mayAdminister(operation.rights, caller) ? null : caller.identityId;
      const wanted = new Set(request.query.filters.flatMap(({ values }) => values));
      if (own !== null) wanted.add(own);
      // Two different identities have no session together.
      const isEmpty = wanted.size > 1;
      const [identityId] = wanted;
      const { session: config } = await settings.read(caller.tenant);
      const living = livingSince(now().getTime(), config);
      const query: SessionQuery = identityId === undefined ? living : { ...living, identityId };
      return answerList(request, baseAddress, {
        list: async (page) =>
          isEmpty ? [] : (await sessions.list(caller.tenant, query, page)).map((each) => showSession(each, config)),
        count: async () => (isEmpty ? 0 : sessions.count(caller.tenant, query)),
      });
    },

    'end-session-v1': async (request) => {
      const ended = await sessions.end(auditContextOfRequest(request, now()), request.params.id);
      return ended.ok ? ok({ isEmpty: true }) : ended;
    },
  }) satisfies Partial<OperationHandlers>;
