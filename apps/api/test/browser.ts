import type { TestApi } from './test-api.ts';

/** The origin of the default base address of tests. */
export const ORIGIN = 'http://127.0.0.1:8080';

/** A page as a browser gets it. */
export interface ReceivedPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The path that a redirect leads to; null without one. */
  readonly location: string | null;
  readonly setCookies: readonly string[];
}

export interface BrowserOptions {
  readonly origin?: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser without scripts: it keeps cookies, names its origin with forms, and follows no redirect by itself. */
export function openBrowser(
  { send: sendRequest }: Pick<TestApi, 'send'>,
  { origin = ORIGIN, headers: always = {} }: BrowserOptions = {},
) {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, { body, headers = {} }: Sent = {}): Promise<ReceivedPage> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await sendRequest(path, {
      method,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      headers: {
        host: new URL(origin).host,
        ...(cookie === '' ? {} : { cookie }),
        ...(method === 'POST' ? { origin, 'sec-fetch-site': 'same-origin', 'content-length': lengthOf(body) } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...always,
        ...headers,
      },
    });
    const setCookies = response.headers.getSetCookie();
    for (const set of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0/.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const { status, headers: received } = response;
    const text = await response.text();
    return { status, headers: received, text, location: received.get('location'), setCookies };
  };
  return {
    cookies,
    get: (path: string, headers?: Record<string, string>) =>
      send('GET', path, headers === undefined ? {} : { headers }),
    /** Sends a form. */
    post: (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      send('POST', path, { body: new URLSearchParams(fields).toString(), headers }),
    send,
  };
}

const lengthOf = (body = ''): string => String(Buffer.byteLength(body));

export interface Sent {
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Browser = ReturnType<typeof openBrowser>;

/** What a page tells as its failure. */
export const alertOf = ({ text }: ReceivedPage): string | null => /role="alert"><p>([^<]*)</.exec(text)?.[1] ?? null;

/** The heading of a page. */
export const headingOf = ({ text }: ReceivedPage): string | null => /<h1>([^<]*)</.exec(text)?.[1] ?? null;
