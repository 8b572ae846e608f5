import { connect, type Socket } from 'node:net';
import { type Answer, createAnswerReader } from './answer-reader.ts';

/** Longer than any answer may take. */
const ANSWER_MS_MAX = 40_000;

/** The rest of a longer body may still be on its way when its answer arrives: the connection may then be closed. */
const KEPT_BYTES_MAX = 131_072;

const isEnding = (request: Buffer, { headers }: Answer): boolean =>
  headers.get('connection')?.toLowerCase() === 'close' || request.length > KEPT_BYTES_MAX;

export interface Exchange {
  /** Null if there was none. */
  readonly answer: Answer | null;
  /** Why there was none; empty if there was one. */
  readonly lost: string;
  /** Bytes after the answer that belong to no request. */
  readonly surplus: string;
}

/** A connection that is kept, and opened again if it was closed. */
export interface Connection {
  /** Sends one request. Rejects if the bytes received are no answer. */
  exchange(request: Buffer, isHead: boolean): Promise<Exchange>;
  close(): void;
}

/** Connects with the first request. */
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
        if (isDisturbed) throw new Error('an answer that belongs to no request');
        const take = createAnswerReader(isHead);
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
        const lose = (lost: string) => {
          leave();
          end(() => resolve({ answer: null, lost, surplus: '' }));
        };
        const timer = setTimeout(() => lose('not in time'), ANSWER_MS_MAX);
        onClose = () => lose(`the connection was closed ${used.errored?.message ?? 'in order'}`);
        onData = (chunk) => {
          try {
            const read = take(chunk);
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
