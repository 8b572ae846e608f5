import type { AccessAdminClient } from '@access-admin/client';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Concern } from '../service/live.ts';

// An import tells thousands of events: what they concern is read again once.
const GATHER_MS = 250;

export interface LiveDeps {
  readonly api: AccessAdminClient;
  readonly queries: QueryClient;
  /** Whether there is no session, no right or no connection to read events with. */
  readonly isPaused: boolean;
}

/** Reads again what events concern. Returns whether events are read. */
export function useLive({ api, queries, isPaused }: LiveDeps): boolean {
  const [isLive, setLive] = useState(false);
  const hasFollowed = useRef(false);
  useEffect(() => {
    if (isPaused) return undefined;
    const stop = new AbortController();
    const concerned = new Set<Concern>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readAgain = () => {
      timer = undefined;
      for (const concern of concerned)
        queries.invalidateQueries(concern === 'everything' ? {} : { queryKey: [concern] });
      concerned.clear();
    };
    const onConcern = (concern: Concern) => {
      concerned.add(concern);
      timer ??= setTimeout(readAgain, GATHER_MS);
    };
    const { current: hasFollowedBefore } = hasFollowed;
    hasFollowed.current = true;
    const follow = async () => {
      // The first page is shown without it.
      const { shareEvents } = await import('../service/shared-live.ts');
      await shareEvents(api, { onConcern, onLive: setLive, hasFollowed: hasFollowedBefore }, stop.signal);
    };
    // A page whose part cannot be loaded is as one that may read no events.
    follow().catch(() => setLive(false));
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [api, queries, isPaused]);
  return isLive;
}
