import type { ErrorMessage } from '@access-admin/contract';
import { AccessAdminError, ConnectionError, createApiError, type ErrorCause } from '../errors.ts';
import { type Deadline, openDeadline } from './deadline.ts';
import { parseRetryAfter } from './retry.ts';
import type { Runtime } from './runtime.ts';

/** What the client needs of `fetch`; the platform's own and those of common libraries fit. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How requests reach the service. */
export interface Wire {
  /** Without a slash at its end. */
  readonly baseAddress: string;
  readonly fetch: Fetch;
  readonly runtime: Runtime;
}

/** One try of a request. */
export interface Attempt {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A 2xx answer whose body is still to be read. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Reads the whole body as text. */
  text(): Promise<string>;
  /** Reads the body piece by piece; null at the end. The time limit is that of each piece. */
  read(): Promise<Uint8Array | null>;
  /** Must be called in the end. Gives up what is not read yet. */
  close(): void;
}

/** Sends a request once. Rejects with an `ApiError` for any answer that is not 2xx. */
export async function openAttempt(wire: Wire, attempt: Attempt): Promise<OpenAnswer> {
  const request = nameOf(attempt);
  const deadline = openDeadline(attempt, request, wire.runtime);
  try {
    const response = await send(wire, attempt, deadline);
    if (!response.ok) throw await refusalOf(response, request, wire.runtime);
    return openAnswer(response, request, deadline);
  } catch (error) {
    deadline.close();
    throw translate(error, request, deadline);
  }
}

/** Method and path, as errors name a request. */
export function nameOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

function send({ fetch, baseAddress }: Wire, attempt: Attempt, { signal }: Deadline): Promise<Response> {
  const { method, path, headers, body } = attempt;
  // A redirect could turn a write into a read, or carry the token elsewhere: it is reported, not followed.
  return fetch(baseAddress + path, { method, headers, body, signal, redirect: 'manual' });
}

function openAnswer(response: Response, request: string, deadline: Deadline): OpenAnswer {
  const guarded = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((error: unknown) => {
      throw translate(error, request, deadline);
    });
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return {
    status: response.status,
    headers: response.headers,
    text: () => guarded(response.text()),
    read: async () => {
      reader ??= response.body?.getReader();
      if (reader === undefined) return null;
      deadline.restart();
      const { value = null } = await guarded(reader.read());
      deadline.pause();
      return value;
    },
    close: () => {
      deadline.close();
      reader?.cancel().catch(() => {});
    },
  };
}

async function refusalOf(
  response: Response,
  request: string,
  runtime: Pick<Runtime, 'now'>,
): Promise<AccessAdminError> {
  const body = parseObject(await response.text());
  const { trackingId } = body;
  return createApiError(request, {
    ...causeOf(body),
    status: response.status,
    trackingId: typeof trackingId === 'string' ? trackingId : response.headers.get('x-request-id'),
    causes: listOf(body['causes']).map(causeOf),
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), runtime.now()),
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function causeOf(value: unknown): ErrorCause {
  const { detailCode, error, messages } = Object(value);
  // The token endpoint has its codes in `error`, as RFC 6749 says.
  const code = detailCode ?? error;
  return { detailCode: typeof code === 'string' ? code : null, messages: listOf(messages).filter(isMessage) };
}

function isMessage(value: unknown): value is ErrorMessage {
  return typeof Object(value).text === 'string';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Codes of failures to connect, of Node.js and Bun: nothing was sent. */
const NOT_SENT: readonly unknown[] = [
  'ECONNREFUSED',
  'ConnectionRefused',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];

function translate(error: unknown, request: string, { signal }: Deadline): unknown {
  if (error instanceof AccessAdminError) return error;
  if (signal.aborted) return signal.reason;
  const reason = hasCode(error) ? error : Object(error).cause;
  const code = hasCode(reason) ? reason.code : undefined;
  const text = `${request}: no complete answer${code === undefined ? '' : ` (${code})`}`;
  return new ConnectionError(text, NOT_SENT.includes(code) || Object(reason).syscall === 'connect', { cause: error });
}

function hasCode(error: unknown): error is { readonly code: string } {
  return typeof Object(error).code === 'string';
}
