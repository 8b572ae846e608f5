import { readNowMs } from './clock.ts';
import { type Concern, type EventSource, followEvents, type LiveListener } from './live.ts';

/** The lock of the window that reads the events for all windows of the browser, and the channel by which it tells the others. */
const NAME = 'access-admin-events';

/** A stream that began within this time is not begun again. */
const FRESH_MS = 2_000;

type Message =
  | { readonly kind: 'concern'; readonly concern: Concern }
  | { readonly kind: 'live'; readonly isLive: boolean }
  /** From a window that follows from now on. Where it may have missed events, the stream that it knew may be dead. */
  | { readonly kind: 'joined'; readonly hasMissed: boolean };

/**
 * Reports changes from now on until the signal is aborted, as `followEvents` does, by one stream for all windows: browsers have six
 * connections to a service at a time, of which each stream takes one. The window that holds the lock reads it; browsers freeze no
 * window that holds one, and give it to the next window when this one is closed. Without locks, and where they are denied, each window has its own stream.
 */
export async function shareEvents(api: EventSource, listener: LiveListener, signal: AbortSignal): Promise<void> {
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return followEvents(api, listener, signal);
  const channel = new BroadcastChannel(NAME);
  const tell = (message: Message) => channel.postMessage(message);
  let { hasMissed } = listener;
  // What happens between the stream of another window and its own is missed.
  let hasFollowed = hasMissed;
  let onJoined: (hasMissed: boolean) => void = () => {};
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (signal.aborted) return;
    if (data.kind === 'joined') return onJoined(data.hasMissed);
    if (data.kind === 'concern') return listener.onConcern(data.concern);
    listener.onLive(data.isLive);
    if (!data.isLive) return;
    if (hasMissed) listener.onConcern('everything');
    hasMissed = false;
    hasFollowed = true;
  };
  const lead = async () => {
    let isLive = false;
    const shared = {
      onConcern: (concern: Concern) => {
        listener.onConcern(concern);
        tell({ kind: 'concern', concern });
      },
      onLive: (isNow: boolean) => {
        isLive = isNow;
        listener.onLive(isNow);
        // The others go on with the next one that reads.
        if (!signal.aborted) tell({ kind: 'live', isLive: isNow });
      },
    };
    for (let isAgain = hasFollowed; !signal.aborted; isAgain = true) {
      const again = new AbortController();
      const begunMs = readNowMs();
      onJoined = (mayBeDead) => {
        if (mayBeDead && readNowMs() - begunMs > FRESH_MS) again.abort();
        else tell({ kind: 'live', isLive });
      };
      await followEvents(api, { ...shared, hasMissed: isAgain }, AbortSignal.any([signal, again.signal]));
      if (isLive) shared.onLive(false);
      // It ends by itself where the session may read no events.
      if (!again.signal.aborted) return;
    }
  };
  tell({ kind: 'joined', hasMissed });
  try {
    await navigator.locks.request(NAME, { signal }, lead);
  } catch {
    // Browsers that block what other sites store deny locks to a frame of another site.
    if (!signal.aborted) await followEvents(api, listener, signal);
  } finally {
    listener.onLive(false);
    channel.close();
  }
}
