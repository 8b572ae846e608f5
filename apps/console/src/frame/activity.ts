import type { Fetch } from '@access-admin/client';
import { readNowMs } from '../service/clock.ts';

/** How long after an act of the person a request counts as caused by it. */
const CAUSED_MS = 30_000;
const ACTS = ['pointerdown', 'keydown', 'wheel', 'focus'];

/**
 * Builds a `fetch` that marks requests without an act of the person as polls, which the service does not take for activity of
 * the session: pages are read again by events too, and an open page would keep its session for ever.
 */
export function createMarkedFetch(acts: Pick<EventTarget, 'addEventListener'>, send: Fetch, now = readNowMs): Fetch {
  let actedMs = now();
  for (const type of ACTS)
    acts.addEventListener(
      type,
      () => {
        actedMs = now();
      },
      { capture: true, passive: true },
    );
  return (url, init) => {
    const headers = new Headers(init.headers);
    if (now() - actedMs > CAUSED_MS && !headers.has('prefer')) headers.set('prefer', 'wait=0');
    return send(url, { ...init, headers });
  };
}
