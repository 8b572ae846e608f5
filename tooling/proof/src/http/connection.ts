import { openRawConnection, type RawConnection } from './raw-connection.ts';
import type { Answer } from './read-answer.ts';

/** Longer than any answer may take. */
const SILENCE_MS_MAX = 40_000;

/** The rest of a longer body may still be on its way when its answer arrives: the connection may then be closed. */
const KEPT_BYTES_MAX = 131_072;

export interface Exchange {
  /** Null if there was none. */
  readonly answer: Answer | null;
  /** Why there was none; empty if there was one. */
  readonly lost: string;
  /** Bytes after the answer that belong to no request. */
  readonly surplus: string;
}

/** A connection that is kept, and opened again if it was closed. It connects with the first request. */
export function openConnection(port: number) {
  let kept: RawConnection | null = null;
  const leave = () => {
    kept?.close();
    kept = null;
  };
  return {
    /** Sends one request. */
    exchange: async (request: Buffer, isHead: boolean): Promise<Exchange> => {
      const earlier = kept?.unread() ?? '';
      if (earlier !== '') {
        leave();
        return { answer: null, lost: 'an answer that belongs to no request', surplus: earlier };
      }
      const used = kept?.isOpen() ? kept : openRawConnection(port, SILENCE_MS_MAX);
      kept = used;
      void used.write(request);
      let lost = '';
      const answer = await used.read(isHead).catch((error: Error) => {
        lost = error.message;
        return null;
      });
      const surplus = used.unread();
      const isEnding = answer?.headers.get('connection')?.toLowerCase() === 'close';
      if (answer === null || surplus !== '' || isEnding || request.length > KEPT_BYTES_MAX || used.isSending()) leave();
      if (answer === null && lost === '') lost = used.isSilent() ? 'not in time' : 'the connection was closed';
      return { answer, lost, surplus };
    },
    close: leave,
  };
}
