import type { AccessAdminClient } from '@access-admin/client';
import { onlineManager, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { isServiceAway } from '../service/failures.ts';

const LOOK_MS = 2_000;

const subscribe = (onChange: () => void) => onlineManager.subscribe(onChange);
const isOnline = () => onlineManager.isOnline();

export interface ConnectionDeps {
  readonly api: AccessAdminClient;
  readonly queries: QueryClient;
}

/** Whether the browser is offline or the service does not answer. Everything is read again once it does. */
export function useConnection({ api, queries }: ConnectionDeps): boolean {
  const online = useSyncExternalStore(subscribe, isOnline);
  const [isAway, setAway] = useState(false);
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ query }) => {
        if (query.state.status === 'error' && isServiceAway(query.state.error)) setAway(true);
      }),
    [queries],
  );
  useEffect(() => {
    if (!isAway || !online) return undefined;
    const stop = new AbortController();
    awaitService(api, stop.signal).then(() => {
      if (stop.signal.aborted) return;
      setAway(false);
      queries.invalidateQueries();
    });
    return () => stop.abort();
  }, [api, queries, isAway, online]);
  return isAway || !online;
}

/** Resolves once the service answers, and when the signal is aborted. */
async function awaitService(api: AccessAdminClient, signal: AbortSignal): Promise<void> {
  for (let error: unknown; !signal.aborted && (error === undefined || isServiceAway(error)); ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    error = await api.sessions.current({ signal }).then(
      () => null,
      (each: unknown) => each,
    );
  }
}
