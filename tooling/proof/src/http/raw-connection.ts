import { connect } from 'node:net';
import { createByteQueue } from './byte-queue.ts';
import { type Answer, readAnswer } from './read-answer.ts';

/** A connection that takes any bytes. */
export type RawConnection = ReturnType<typeof openRawConnection>;

/** A connection without traffic for `silenceMs` is closed. */
export function openRawConnection(port: number, silenceMs: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, timeout: silenceMs });
  const received = createByteQueue();
  let isSilent = false;
  socket.on('timeout', () => {
    isSilent = true;
    socket.destroy();
  });
  socket.on('error', () => {});
  socket.on('data', (packet) => received.add(packet));
  socket.on('close', received.end);
  return {
    isOpen: () => socket.writable,
    /** Whether it was closed because nothing arrived. */
    isSilent: () => isSilent,
    /** Whether bytes wait to be sent. */
    isSending: () => socket.writableLength > 0,
    /** Resolves when the bytes are sent, or lost because the service closed the connection. */
    write: (bytes: Buffer) => new Promise<void>((resolve) => socket.write(bytes, () => resolve())),
    /** Resolves with the next answer; null once the connection is closed. Rejects if the answer is malformed or cut. */
    read: async (isHead: boolean): Promise<Answer | null> =>
      (await received.hasMore()) ? readAnswer(received, isHead) : null,
    /** Bytes that were received after the last answer. */
    unread: received.rest,
    /** Closes the sending side. */
    end: () => void socket.end(),
    close: () => void socket.destroy(),
  };
}
