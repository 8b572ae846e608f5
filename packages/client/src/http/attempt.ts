import type { ErrorCause, ErrorMessage, ReservationPrediction } from '@access-admin/contract';
import { parseRetryAfter } from '@access-admin/domain/retry-after';
import { AccessAdminError, ConnectionError, createApiError } from '../errors.ts';
import { type Deadline, openDeadline } from './deadline.ts';
import type { Runtime } from './runtime.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The address of the service and the means to send requests to it. */
export interface Wire {
  /** Without a slash at its end. */
  readonly baseAddress: string;
  readonly fetch: Fetch;
  readonly runtime: Runtime;
}

/** One attempt of a request. */
export interface Attempt {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | null;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A 2xx response whose body is not read yet. */
export interface OpenResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Reads the whole body as text. */
  text(): Promise<string>;
  /** Reads the next piece of the body; null at the end. The time limit applies to each piece. */
  read(): Promise<Uint8Array | null>;
  /** Must be called in the end. Discards the rest of the body. */
  close(): void;
}

/** Sends a request once. Rejects with an `ApiError` unless the status is 2xx. */
export async function openAttempt(wire: Wire, attempt: Attempt): Promise<OpenResponse> {
  const request = requestName(attempt);
  const deadline = openDeadline(attempt, request, wire.runtime);
  try {
    const response = await send(wire, attempt, deadline);
    if (!response.ok) throw await readError(response, request, wire.runtime);
    return openResponse(response, { request, host: hostOf(wire) }, deadline);
  } catch (error) {
    deadline.close();
    throw toClientError(error, { request, host: hostOf(wire) }, deadline);
  }
}

const hostOf = ({ baseAddress }: Wire): string => new URL(baseAddress).host;

/** A request and where it goes, for error messages. */
interface Sent {
  readonly request: string;
  readonly host: string;
}

/** The method and path of a request, for error messages. */
export function requestName({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}

function send({ fetch, baseAddress }: Wire, attempt: Attempt, { signal }: Deadline): Promise<Response> {
  const { method, path, headers, body } = attempt;
  // Redirects are reported as errors: following one could turn a write into a read, or send the token elsewhere.
  return fetch(baseAddress + path, { method, headers, body, signal, redirect: 'manual' });
}

function openResponse(response: Response, sent: Sent, deadline: Deadline): OpenResponse {
  const guarded = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((error: unknown) => {
      throw toClientError(error, sent, deadline);
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

async function readError(
  response: Response,
  request: string,
  runtime: Pick<Runtime, 'now'>,
): Promise<AccessAdminError> {
  const body = parseObject(await response.text());
  const { trackingId, detailCode, error, messages, causes, prediction } = body;
  // The token endpoint answers its codes in `error` (RFC 6749).
  const code = detailCode ?? error;
  return createApiError(request, {
    status: response.status,
    detailCode: typeof code === 'string' ? code : null,
    trackingId: typeof trackingId === 'string' ? trackingId : response.headers.get('x-request-id'),
    messages: listOf(messages).filter(isMessage),
    causes: listOf(causes).filter(isCause),
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after') ?? '', runtime.now()),
    prediction: isPrediction(prediction) ? prediction : null,
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function isCause(value: unknown): value is ErrorCause {
  return isMessage(value) && typeof Object(value).detailCode === 'string';
}

function isPrediction(value: unknown): value is ReservationPrediction {
  return Array.isArray(Object(value).violationContexts);
}

function isMessage(value: unknown): value is ErrorMessage {
  return typeof Object(value).text === 'string';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Error codes of Node.js and Bun for failures to connect, before anything is sent. */
const NOT_SENT: readonly unknown[] = [
  'ECONNREFUSED',
  'ConnectionRefused',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];

function toClientError(error: unknown, { request, host }: Sent, { signal }: Deadline): unknown {
  if (error instanceof AccessAdminError) return error;
  if (signal.aborted) return signal.reason;
  const reason = hasCode(error) ? error : Object(error).cause;
  const code = hasCode(reason) ? reason.code : undefined;
  const why = code ?? (reason instanceof Error ? reason.message : undefined);
  const text = `${request}: no complete response from ${host}${why === undefined ? '' : ` (${why})`}`;
  return new ConnectionError(text, NOT_SENT.includes(code) || Object(reason).syscall === 'connect', { cause: error });
}

function hasCode(error: unknown): error is { readonly code: string } {
  return typeof Object(error).code === 'string';
}
