import { AccessAdminError, NotFoundError, UnauthenticatedError } from '../errors.ts';
import { type Attempt, type OpenResponse, openAttempt, requestName, type Wire } from './attempt.ts';
import { parseJsonLines } from './ndjson.ts';
import { retry } from './retry.ts';
import type { TokenProvider } from './token-provider.ts';
import { formatQuery, type Query } from './url.ts';

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one attempt, in milliseconds, instead of the client's own. */
  readonly timeoutMs?: number | undefined;
}

/** A request of one operation. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly text: string };
  readonly experimental?: boolean;
  /** Whether it may be repeated after an unknown outcome; by its method if left out. */
  readonly repeatable?: boolean;
  readonly options: CallOptions | undefined;
}

/** A whole response. */
export interface ParsedResponse<T> {
  /** Undefined when the status is 204. */
  readonly value: T;
  readonly headers: Headers;
}

/** Sends requests with a token, a time limit and retries. */
export interface Transport {
  call<T>(request: ApiRequest): Promise<ParsedResponse<T>>;
  /** The values of a response in JSON lines, once all of it has arrived. */
  lines<T>(request: ApiRequest): Promise<ParsedResponse<readonly T[]>>;
  /** The body of a response that is not JSON. */
  text(request: ApiRequest): Promise<string>;
  /** Deletes the resource at the path. */
  remove(request: Pick<ApiRequest, 'path' | 'headers' | 'options'>): Promise<void>;
  /** The headers of a response whose body is not read. */
  headers(request: ApiRequest): Promise<Headers>;
  /** The body in pieces as they arrive. Retries end with the first piece. */
  stream(request: ApiRequest): AsyncGenerator<Uint8Array, void, undefined>;
}

/** Defaults of all calls. */
export interface TransportSettings {
  readonly timeoutMs: number;
  readonly retries: number;
  /** Whether requests of experimental operations carry the header that enables them. */
  readonly experimental: boolean;
}

/** Builds the transport of one client. */
export function createTransport(wire: Wire, tokens: TokenProvider, settings: TransportSettings): Transport {
  const repeated = <T>(request: ApiRequest, attempt: (token: string | null, outcomeUnknown: boolean) => Promise<T>) =>
    retry(
      {
        retries: settings.retries,
        repeatable: request.repeatable ?? ['GET', 'PUT', 'DELETE'].includes(request.method),
        signal: request.options?.signal,
      },
      wire.runtime,
      (outcomeUnknown) => withToken(tokens, request.options?.signal, (token) => attempt(token, outcomeUnknown)),
    );
  const open = (request: ApiRequest, token: string | null) => openAttempt(wire, attemptOf(request, token, settings));
  return {
    call: (request) => repeated(request, async (token) => parseResponse(await open(request, token), request)),
    lines: (request) => repeated(request, async (token) => parseLines(await open(request, token))),
    text: (request) => repeated(request, async (token) => readText(await open(request, token))),
    async remove(given) {
      const request: ApiRequest = { ...given, method: 'DELETE' };
      await repeated(request, async (token, outcomeUnknown) => {
        try {
          await parseResponse(await open(request, token), request);
        } catch (error) {
          // An earlier attempt has deleted it.
          if (!outcomeUnknown || !(error instanceof NotFoundError)) throw error;
        }
      });
    },
    async headers(request) {
      const response = await repeated(request, (token) => open(request, token));
      response.close();
      return response.headers;
    },
    async *stream(request) {
      const response = await repeated(request, (token) => open(request, token));
      try {
        for (let piece = await response.read(); piece !== null; piece = await response.read()) yield piece;
      } finally {
        response.close();
      }
    },
  };
}

/**
 * Renews a refused token and repeats the attempt, once: the token may have been revoked, or have expired early by the
 * clock of the service. A token just issued is no exception, since the clock may jump in between.
 */
async function withToken<T>(
  tokens: TokenProvider,
  signal: AbortSignal | undefined,
  attempt: (token: string | null) => Promise<T>,
): Promise<T> {
  const token = await tokens.get(signal);
  try {
    return await attempt(token);
  } catch (error) {
    const renewed = error instanceof UnauthenticatedError ? await tokens.renew(token, signal) : null;
    if (renewed === null) throw error;
    return attempt(renewed);
  }
}

function attemptOf(request: ApiRequest, token: string | null, { timeoutMs, experimental }: TransportSettings): Attempt {
  const headers = new Headers({ accept: 'application/json', ...request.headers });
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (request.body !== undefined) headers.set('content-type', request.body.type);
  if (request.experimental && experimental) headers.set('x-service-experimental', 'true');
  return {
    method: request.method,
    path: request.path + formatQuery(request.query),
    headers,
    body: request.body?.text ?? null,
    timeoutMs: request.options?.timeoutMs ?? timeoutMs,
    signal: request.options?.signal,
  };
}

async function readText(response: OpenResponse): Promise<string> {
  try {
    return await response.text();
  } finally {
    response.close();
  }
}

async function parseResponse<T>(response: OpenResponse, request: ApiRequest): Promise<ParsedResponse<T>> {
  const text = await readText(response);
  return { value: response.status === 204 ? undefined : parseJson(text, request), headers: response.headers };
}

async function parseLines<T>(response: OpenResponse): Promise<ParsedResponse<readonly T[]>> {
  const text = await readText(response);
  return { value: [...parseJsonLines<T>(text.split('\n'))], headers: response.headers };
}

// Responses are not validated: the service guarantees the types of its contract.
function parseJson(text: string, request: ApiRequest): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text);
  } catch {
    throw new AccessAdminError(`${requestName(request)}: the response is not JSON`);
  }
}
