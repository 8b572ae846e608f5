import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { WEBHOOK_ANSWER_BYTES_MAX, WEBHOOK_ANSWER_SECONDS_MAX } from '@access-admin/contract';
import { parseAddress, validateTarget } from '@access-admin/domain';
import type { Connections } from './connections.ts';
import { type ResolveHost, TargetRefused } from './resolve.ts';

/** The longest time of an attempt, from the resolution of the name to the end of the answer. */
const ATTEMPT_MS_MAX = WEBHOOK_ANSWER_SECONDS_MAX * 1_000;

/** What is sent to a receiver. */
export interface Message {
  /** Whose connections are used. */
  readonly owner: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the attempt. */
  readonly signal?: AbortSignal;
}

/** The outcome of an attempt. */
export interface Answer {
  /** Null without an answer. */
  readonly status: number | null;
  /** The value of `Retry-After`. */
  readonly retryAfter: string | null;
  /** Why there is no answer; null with one. */
  readonly error: string | null;
}

/** Sends one message once; never rejects. */
export type Send = (message: Message) => Promise<Answer>;

export interface SendDeps {
  readonly resolveHost: ResolveHost;
  readonly connections: Connections;
  readonly targets: ReadonlySet<string>;
  readonly attemptMs?: number;
}

/** Follows no redirects, and uses no proxy. The name is resolved and its addresses are validated at each attempt. */
export function createSend({ resolveHost, connections, targets, attemptMs = ATTEMPT_MS_MAX }: SendDeps): Send {
  return async (message) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new AttemptFailed(TOO_LATE)), attemptMs);
    const stop = () => late.abort(new AttemptFailed(STOPPED));
    message.signal?.addEventListener('abort', stop, { once: true });
    try {
      if (message.signal?.aborted) stop();
      const url = new URL(message.url);
      // The operator may have taken the target from the list since it was accepted.
      const refused = validateTarget(url, targets);
      if (refused !== null) throw new TargetRefused(`The URL ${refused.causes[0]?.text}.`);
      const addresses = await unlessLate(resolveHost(url), late.signal);
      const exchange = { message, url, addresses, isListed: targets.has(url.origin), signal: late.signal };
      return await exchangeOnce(connections, exchange).catch((error) => {
        // The receiver closed a kept connection at the same moment.
        if (error instanceof StaleConnection) return exchangeOnce(connections, exchange);
        throw error;
      });
    } catch (error) {
      return { status: null, retryAfter: null, error: describe(late.signal.aborted ? late.signal.reason : error) };
    } finally {
      clearTimeout(timer);
      message.signal?.removeEventListener('abort', stop);
    }
  };
}

class AttemptFailed extends Error {}
class StaleConnection extends Error {}

const TOO_LATE = 'The receiver has not answered in time.';
const STOPPED = 'The attempt was stopped.';

function unlessLate<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort));
}

interface OneExchange {
  readonly message: Message;
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly isListed: boolean;
  readonly signal: AbortSignal;
}

function exchangeOnce(connections: Connections, exchange: OneExchange): Promise<Answer> {
  const { message, url, addresses, signal } = exchange;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options: RequestOptions = {
    method: 'POST',
    agent: connections.agentFor(message.owner, url, addresses),
    headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
    signal,
  };
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
  let answer: Answer | null = null;
  request.on('socket', (socket) => guardSocket(socket, exchange));
  request.on('response', (response) => {
    const { statusCode: status = null, headers } = response;
    const received: Answer = { status, retryAfter: headers['retry-after'] ?? null, error: null };
    answer = received;
    drain(response, () => resolve(received));
  });
  request.on('error', (error) => {
    const isStale = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET' && !signal.aborted;
    // The status counts, even if the rest of the answer is missing.
    if (answer !== null) resolve(answer);
    else reject(isStale ? new StaleConnection() : error);
  });
  request.end(message.body);
  return promise;
}

/** Ends a connection that does not go to a validated address. The lookup pins it already: this finds a mistake in that. */
function guardSocket(socket: Socket, { addresses, isListed }: OneExchange): void {
  if (isListed) return;
  const validated = new Set(addresses.map(normalForm));
  const verify = () => {
    if (!validated.has(normalForm(socket.remoteAddress ?? '')))
      socket.destroy(new TargetRefused('The connection went to another address than the validated ones.'));
  };
  if (socket.connecting) socket.once('connect', verify);
  else verify();
}

const normalForm = (address: string): string => parseAddress(address)?.join('.') ?? '';

/** Reads an answer to its end, so that the connection can be kept, or to its limit. */
function drain(response: IncomingMessage, end: () => void): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > WEBHOOK_ANSWER_BYTES_MAX) response.destroy();
  });
  response.on('close', end);
  response.on('error', () => {});
}

const TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection without an answer.',
  EPIPE: 'The receiver closed the connection without an answer.',
  ENOTFOUND: 'The name of the receiver has no address.',
  EHOSTUNREACH: 'The receiver cannot be reached.',
  ENETUNREACH: 'The receiver cannot be reached.',
  ETIMEDOUT: TOO_LATE,
};

/** For the administrators of a tenant: names no address, and nothing of the network of the service. */
function describe(error: unknown): string {
  if (error instanceof TargetRefused || error instanceof AttemptFailed) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (TEXTS[code] !== undefined) return TEXTS[code];
  if (code.startsWith('HPE_')) return 'The answer of the receiver is not HTTP.';
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER|SELF_SIGNED/.test(code))
    return `The receiver has no valid TLS certificate (${code}).`;
  return 'The connection to the receiver failed.';
}
