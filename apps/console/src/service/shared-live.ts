import { readNowMs } from './clock.ts';
import { type Concern, type EventSource, followEvents, type LiveListener } from './live.ts';

/** Begins the name of the lock of the window that reads the events for all windows, and of the channel by which it tells them. */
const NAME = 'access-admin-events';

/** A stream that began within this time is not begun again. */
const FRESH_MS = 2_000;

/** A stream that has not begun within this time is none: windows may still show that of a window that was closed. */
const BEGUN_MS = 5_000;

type Message =
  | { readonly kind: 'concern'; readonly concern: Concern }
  | { readonly kind: 'live'; readonly isLive: boolean }
  /** From a window that follows from now on. */
  | { readonly kind: 'joined'; readonly hasFollowed: boolean };

export interface SharedListener extends LiveListener {
  /** Whether the window has followed events before: then the stream that it knew may be dead. */
  readonly hasFollowed: boolean;
}

/**
 * Reports changes until the signal is aborted, as `followEvents` does, by one stream for all windows: browsers have six
 * connections to a service at a time, of which each stream takes one. The window that holds the lock reads it; browsers freeze no
 * window that holds one, and give it to the next window when this one is closed. Without locks, and where they are denied, each window has its own stream.
 * Windows of another build, whose messages may be others, share one of their own.
 */
export async function shareEvents(
  api: EventSource,
  listener: SharedListener,
  signal: AbortSignal,
  // A build names this file by its content, and by that of the files that it imports.
  build: string = import.meta.url,
): Promise<void> {
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return followEvents(api, listener, signal);
  const name = `${NAME} ${build}`;
  const channel = new BroadcastChannel(name);
  const tell = (message: Message) => channel.postMessage(message);
  let hasReadAgain = false;
  let onJoined: (hasFollowed: boolean) => void = () => {};
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (signal.aborted) return;
    if (data.kind === 'joined') return onJoined(data.hasFollowed);
    if (data.kind === 'concern') return listener.onConcern(data.concern);
    listener.onLive(data.isLive);
    if (!data.isLive || hasReadAgain) return;
    // No event tells what has changed between the read of the page and the message.
    listener.onConcern('everything');
    hasReadAgain = true;
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
    while (!signal.aborted) {
      const again = new AbortController();
      const begunMs = readNowMs();
      const late = setTimeout(() => shared.onLive(isLive), BEGUN_MS);
      onJoined = (mayBeDead) => {
        if (mayBeDead && readNowMs() - begunMs > FRESH_MS) again.abort();
        else tell({ kind: 'live', isLive });
      };
      await followEvents(api, shared, AbortSignal.any([signal, again.signal]));
      clearTimeout(late);
      if (isLive) shared.onLive(false);
      // It ends by itself where the session may read no events.
      if (!again.signal.aborted) return;
    }
  };
  tell({ kind: 'joined', hasFollowed: listener.hasFollowed });
  try {
    await navigator.locks.request(name, { signal }, lead);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error;
    // Browsers that block what other sites store deny locks to a frame of another site.
    channel.onmessage = null;
    await followEvents(api, listener, signal);
  } finally {
    listener.onLive(false);
    channel.close();
  }
}
