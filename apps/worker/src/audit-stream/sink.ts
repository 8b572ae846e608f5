import { createSocket } from 'node:dgram';
import { constants, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { AuditEvent } from '@access-admin/domain';
import { openStdoutNonBlocking } from '@access-admin/telemetry';
import type { AuditStreamTarget } from './target.ts';

/** An event and its line. */
export interface AuditLine {
  readonly event: AuditEvent;
  readonly text: string;
}

/** Writes lines of audit events. */
export interface AuditSink {
  /** Resolves when the target has taken all lines: a file its bytes, a socket its kernel's buffer. Rejects otherwise. */
  write(lines: readonly AuditLine[]): Promise<void>;
  close(): Promise<void>;
}

export interface AuditSinkDeps {
  /** Calls the listener each time the file is to be opened anew, as after its rotation. */
  onReopen(listener: () => void): void;
  /** Called for an event that a datagram has no room for. */
  onTooLarge(event: AuditEvent): void;
}

/** A target that takes nothing for this long is taken for one that is away. */
const TAKEN_WITHIN_MS = 5_000;
const TOOK_NOTHING = `it took nothing for ${TAKEN_WITHIN_MS} ms`;

/** Writes of several tenants run one after the other: a line is whole before the next one begins. */
export function openAuditSink(target: AuditStreamTarget, deps: AuditSinkDeps): AuditSink {
  const sink = openTarget(target, deps);
  let last: Promise<void> = Promise.resolve();
  return {
    write: (lines) => {
      const written = last.then(() => sink.write(lines));
      last = written.catch(() => {});
      return written;
    },
    close: sink.close,
  };
}

function openTarget(target: AuditStreamTarget, deps: AuditSinkDeps): AuditSink {
  if (target.kind === 'stdout') return openStandardOutput();
  if (target.kind === 'file') return openFile(target.path, deps);
  return target.transport === 'udp' ? openDatagrams(target, deps) : openStream(target);
}

const textOf = (lines: readonly AuditLine[]): string => lines.map(({ text }) => `${text}\n`).join('');

/** How soon a pipe that is full is tried again. */
const PIPE_AGAIN_MS = 20;
const LINE_FEED = 10;

/** Writes line by line: a pipe takes one that is short as a whole, also beside other processes. */
function openStandardOutput(): AuditSink {
  const fd = openStdoutNonBlocking();
  let isWithinLine = false;
  return {
    write: async (lines) => {
      for (const { text } of lines) {
        const bytes = Buffer.from(`${isWithinLine ? '\n' : ''}${text}\n`);
        const timeout = AbortSignal.timeout(TAKEN_WITHIN_MS);
        for (let offset = 0; offset < bytes.length; ) {
          const written = writeSome(fd, bytes.subarray(offset));
          offset += written;
          if (offset > 0) isWithinLine = bytes[offset - 1] !== LINE_FEED;
          if (written > 0) continue;
          if (timeout.aborted) throw new Error(TOOK_NOTHING);
          await setTimeout(PIPE_AGAIN_MS);
        }
      }
    },
    close: async () => {},
  };
}

/** Returns how many bytes were written; 0 while the pipe is full. */
function writeSome(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0;
    throw error;
  }
}

/** `O_NONBLOCK` makes opening a pipe without a reader fail; otherwise it would block a thread that no signal can end. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

interface AppendedFile {
  readonly opened: FileHandle;
  /** Neither pipe nor device. */
  readonly isFile: boolean;
  /** Whether its last line has no end, as after a full disk. */
  isCut: boolean;
}

async function openAppended(path: string): Promise<AppendedFile> {
  const opened = await open(path, APPEND, 0o600);
  const { size, ...stats } = await opened.stat().then((all) => ({ size: all.size, isFile: all.isFile() }));
  if (!stats.isFile || size === 0) return { opened, ...stats, isCut: false };
  await using reader = await open(path, 'r');
  const { buffer } = await reader.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return { opened, ...stats, isCut: buffer[0] !== LINE_FEED };
}

function openFile(path: string, { onReopen }: AuditSinkDeps): AuditSink {
  let current: AppendedFile | null = null;
  let isStale = false;
  onReopen(() => {
    isStale = true;
  });
  const close = async () => {
    const last = current;
    current = null;
    await last?.opened.close();
  };
  return {
    write: async (lines) => {
      if (isStale) await close();
      isStale = false;
      current ??= await openAppended(path);
      const { opened, isFile, isCut } = current;
      try {
        await opened.appendFile(`${isCut ? '\n' : ''}${textOf(lines)}`);
        current.isCut = false;
        if (isFile) await opened.datasync();
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

type Syslog = Extract<AuditStreamTarget, { kind: 'syslog' }>;

// Facility 13, log audit; a refused request is a warning, any other informational.
const FACILITY = 13;
const WARNING = 4;
const INFORMATIONAL = 6;

/** A message of RFC 5424. */
function messageOf({ event, text }: AuditLine): string {
  const priority = FACILITY * 8 + (event.outcome === 'DENIED' ? WARNING : INFORMATIONAL);
  const host = hostname().replaceAll(/[^\x21-\x7e]/g, '-') || '-';
  return `<${priority}>1 ${event.time} ${host} access-admin ${process.pid} audit - ${text}`;
}

function openDatagrams({ host, port }: Syslog, { onTooLarge }: AuditSinkDeps): AuditSink {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
  // A receiver that is away answers with an error of the socket, or not at all.
  socket.on('error', () => {});
  socket.unref();
  return {
    write: async (lines) => {
      for (const line of lines)
        await new Promise<void>((resolve, reject) => {
          socket.send(messageOf(line), port, host, (error) => {
            const isTooLarge = error !== null && 'code' in error && error.code === 'EMSGSIZE';
            if (isTooLarge) onTooLarge(line.event);
            if (error === null || isTooLarge) resolve();
            else reject(error);
          });
        });
    },
    close: async () => {
      socket.close();
    },
  };
}

/** Octet counting of RFC 6587, which RFC 5425 requires over TLS. */
function openStream({ transport, host, port }: Syslog): AuditSink {
  let socket: Socket | null = null;
  const drop = () => {
    socket?.destroy();
    socket = null;
  };
  const connect = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const options = { host, port, ...(transport === 'tls' && isIP(host) === 0 ? { servername: host } : {}) };
      const opened = transport === 'tls' ? connectTls(options) : connectTcp(options);
      socket = opened;
      opened.once(transport === 'tls' ? 'secureConnect' : 'connect', () => resolve(opened));
      opened.on('error', reject);
      opened.on('close', () => {
        if (socket === opened) socket = null;
      });
    });
  return {
    write: (lines) => {
      const text = lines
        .map(messageOf)
        .map((message) => `${Buffer.byteLength(message)} ${message}`)
        .join('');
      const written = async () => {
        const open = socket ?? (await connect());
        await new Promise<void>((resolve, reject) => {
          const onClose = () => reject(new Error('the connection was closed'));
          open.once('close', onClose);
          open.write(text, (error) => {
            open.off('close', onClose);
            if (error) reject(error);
            else resolve();
          });
        });
      };
      return withinTime(written(), drop);
    },
    close: async () => drop(),
  };
}

async function withinTime(written: Promise<void>, giveUp: () => void): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const ended = new AbortController();
  setTimeout(TAKEN_WITHIN_MS, null, { signal: ended.signal }).then(
    () => reject(new Error(TOOK_NOTHING)),
    () => {},
  );
  try {
    await Promise.race([written, timeout]);
  } catch (error) {
    giveUp();
    throw error;
  } finally {
    ended.abort();
  }
}
