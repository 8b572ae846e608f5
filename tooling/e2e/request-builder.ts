import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';

export interface BuiltRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Builds the request that the reference page sends for an operation. */
export type RequestBuilder = (call: {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requestContentType?: string;
  readonly requestBody?: string;
}) => BuiltRequest;

const nothing = () => undefined;
const node = () => ({ style: {}, setAttribute: nothing, appendChild: nothing, addEventListener: nothing });
const noNodes = () => [];

/** The little of a browser that the script of the page needs until it draws. */
function createWindow() {
  const document = {
    ...node(),
    createElement: node,
    createElementNS: node,
    querySelector: () => null,
    querySelectorAll: noNodes,
    getElementsByTagName: noNodes,
    documentElement: node(),
    head: node(),
    body: node(),
    cookie: '',
    implementation: { createHTMLDocument: (): unknown => document, createDocument: (): unknown => document },
  };
  const location = {
    href: 'http://127.0.0.1/docs',
    origin: 'http://127.0.0.1',
    search: '',
    hash: '',
    pathname: '/docs',
  };
  const window: Record<string, unknown> = {
    URL,
    URLSearchParams,
    Headers,
    Request,
    Response,
    FormData,
    Blob,
    File,
    AbortController,
    TextEncoder,
    TextDecoder,
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    queueMicrotask,
    btoa,
    atob,
    performance,
    console,
    crypto,
    fetch,
    document,
    location,
    addEventListener: nothing,
    removeEventListener: nothing,
    navigator: { userAgent: '', platform: '' },
    history: { pushState: nothing, replaceState: nothing },
    localStorage: { getItem: () => null, setItem: nothing },
    requestAnimationFrame: nothing,
    matchMedia: () => ({ matches: false, addEventListener: nothing }),
    Element: class {},
    HTMLElement: class {},
    Node: class {},
    DOMParser: class {},
  };
  return Object.assign(window, { window, self: window, top: window });
}

/** Loads the script that the page loads, without a browser. */
export function openRequestBuilder(spec: object): RequestBuilder {
  const script = new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'));
  const window = createContext(createWindow());
  runInContext(readFileSync(script, 'utf8'), window);
  const page = Object(window).SwaggerUIBundle({ spec });
  const { fn } = page.getSystem === undefined ? page : page.getSystem();
  return (call) => fn.buildRequest({ spec, ...call });
}
