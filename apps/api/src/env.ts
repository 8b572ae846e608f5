import type { Failure } from '@access-admin/domain';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler, Next } from 'hono';
import type { RequestState } from './http/request-state.ts';
import type { Services } from './services.ts';
import type { PageVariables } from './sign-in/pages/context.ts';

/** What the server passes to `app.fetch` beside a request: Node's messages, which are absent without a socket. */
export interface Message extends Partial<HttpBindings> {
  /** What the server has found wrong with the message. */
  readonly fault?: Failure;
  /** The address of the caller where there is no socket to tell it. */
  readonly remoteAddress?: string;
}

/** The environment of all handlers. The context step makes it of the message, see `middleware/context.ts`. */
export interface ApiEnv {
  Bindings: Message & { readonly state: RequestState; readonly services: Services };
}

/** The environment of the pages, whose checks set the variables. */
export interface PageEnv extends ApiEnv {
  Variables: PageVariables;
}

/** The context of an operation or a page. */
export type RequestContext = Context<ApiEnv> | Context<PageEnv>;
export type Middleware = (c: RequestContext, next: Next) => ReturnType<MiddlewareHandler>;
