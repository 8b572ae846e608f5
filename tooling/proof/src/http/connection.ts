import { connect, type Socket } from 'node:net';
import { createCollectAnswer } from './collect-answer.ts';
import type { Answer } from './read-answer.ts';

/** Longer than anything may be waited for. */
const ANSWER_MS_MAX = 40_000;

/** The rest of a longer body may still be on its way when its answer is there: who is refused so may find the door closed. */
const KEPT_BYTES_MAX = 131_072;

const isEnding = (request: Buffer, { headers }: Answer): boolean =>
  headers.get('connection')?.toLowerCase() === 'close' || request.length > KEPT_BYTES_MAX;

export interface Exchanged {
  /** Null when there was none. */
  readonly answer: Answer | null;
  /** Why there was none; empty where there was. */
  readonly lost: string;
  /** What came behind the answer, which nobody has asked for. */
  readonly surplus: string;
}

const unanswered = (lost: string): Exchanged => ({ answer: null, lost, surplus: '' });

/** A connection that is kept, and opened anew when it was closed. */
export interface Connection {
  /** Sends one request. Rejects when what comes is no answer. */
  exchange(request: Buffer, isHead: boolean): Promise<Exchanged>;
  close(): void;
}

/** Connects once it has something to send. */
export function openConnection(port: number): Connection {
  let socket: Socket | null = null;
  let onData: (chunk: Buffer) => void = () => {};
  let onClose: () => void = () => {};
  let isDisturbed = false;

  const usable = (): Socket => {
    if (socket !== null && !socket.destroyed && socket.writable) return socket;
    const opened = connect({ port, host: '127.0.0.1', noDelay: true });
    opened.on('data', (chunk) => opened === socket && onData(chunk));
    opened.on('error', () => {});
    // A connection that was left must not end the exchange of the next one.
    opened.on('close', () => opened === socket && onClose());
    socket = opened;
    return opened;
  };

  return {
    exchange: (request, isHead) =>
      new Promise((resolve, reject) => {
        if (isDisturbed) throw new Error('an answer that nobody has asked for');
        const collect = createCollectAnswer(isHead);
        const used = usable();
        const leave = () => {
          used.destroy();
          socket = null;
        };
        const end = (settle: () => void) => {
          clearTimeout(timer);
          onData = () => {
            isDisturbed = true;
          };
          onClose = () => {};
          settle();
        };
        const timer = setTimeout(() => {
          leave();
          end(() => resolve(unanswered('not in time')));
        }, ANSWER_MS_MAX);
        onClose = () => {
          leave();
          end(() => resolve(unanswered(`the connection was closed ${used.errored?.message ?? 'in order'}`)));
        };
        onData = (chunk) => {
          try {
            const read = collect(chunk);
            if (read === null) return;
            const surplus = read.rest.toString('latin1');
            if (surplus !== '' || isEnding(request, read.answer) || used.writableLength > 0) leave();
            end(() => resolve({ answer: read.answer, lost: '', surplus }));
          } catch (error) {
            leave();
            end(() => reject(error));
          }
        };
        used.write(request);
      }),
    close: () => socket?.destroy(),
  };
}
