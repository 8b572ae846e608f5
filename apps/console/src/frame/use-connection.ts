import type { AccessAdminClient } from '@access-admin/client';
import { onlineManager, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { isServiceAway } from '../service/failures.ts';

// Together less than the 10 s within which a page says that it is not live: a service that hangs ends no stream of events.
const LOOK_EVERY_MS = 4_000;
const ANSWER_MS = 4_000;
const LOOK_AGAIN_MS = 2_000;

const subscribe = (onChange: () => void) => onlineManager.subscribe(onChange);
const isOnline = () => onlineManager.isOnline();

export interface ConnectionDeps {
  readonly api: AccessAdminClient;
  readonly queries: QueryClient;
  /** Whether nothing is asked of the service. */
  readonly isPaused: boolean;
}

/** Whether the browser is offline or the service does not answer. Everything is read again once it does. */
export function useConnection({ api, queries, isPaused }: ConnectionDeps): boolean {
  const online = useSyncExternalStore(subscribe, isOnline);
  const [isAway, setAway] = useState(false);
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && isServiceAway(event.action.error))
          setAway(true);
      }),
    [queries],
  );
  useEffect(() => {
    if (isPaused || !online) return undefined;
    const stop = new AbortController();
    const look = async () => {
      // A hidden window does not look; it looks at once when it is shown again.
      if (document.visibilityState === 'hidden') return;
      const answers = await doesAnswer(api, stop.signal);
      if (stop.signal.aborted || answers === !isAway) return;
      setAway(!answers);
      if (answers) queries.invalidateQueries();
    };
    const timer = setInterval(look, isAway ? LOOK_AGAIN_MS : LOOK_EVERY_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      stop.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [api, queries, isPaused, isAway, online]);
  return isAway || !online;
}

const doesAnswer = ({ health }: Pick<AccessAdminClient, 'health'>, signal: AbortSignal): Promise<boolean> =>
  health.ready({ timeoutMs: ANSWER_MS, signal }).catch(() => false);
