import type { CurrentSession, Session } from '@access-admin/contract';
import { iterateItems, type Page, type PageOptions, readPage } from '../../http/list.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';
import { resourcePath } from '../../http/url.ts';

/** Which sessions a list has. */
export interface SessionListOptions extends CallOptions {
  /** Such as `identityId eq "i-0280"`. */
  readonly filters?: string | undefined;
}

/** Sessions of people who have signed in. A client that acts as an identity sees and ends its own without scope. */
export interface Sessions {
  /** Reads the session of the page's own cookie (get-current-session). Rejects with an `UnauthenticatedError` without one. */
  current(options?: CallOptions): Promise<CurrentSession>;
  /** Iterates over all sessions that meet the filters, a page at a time. */
  list(options?: SessionListOptions): AsyncIterable<Session>;
  /** Reads one page of the list. */
  page(options?: PageOptions & SessionListOptions): Promise<Page<Session>>;
  /** Ends a session, in every process within a second. */
  end(id: string, options?: CallOptions): Promise<void>;
}

/** Builds the operations on sessions. */
export function createSessions(transport: Transport): Sessions {
  const group = '/sessions/v1';
  const page: Sessions['page'] = (options) =>
    readPage(transport, { path: group, query: { filters: options?.filters } }, options);
  return {
    current: async (options) =>
      (await transport.call<CurrentSession>({ method: 'GET', path: `${group}/current`, options })).value,
    list: (options) => iterateItems((part) => page({ ...options, ...part })),
    page,
    async end(id, options) {
      await transport.remove({ path: resourcePath(group, id), options });
    },
  };
}
