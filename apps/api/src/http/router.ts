import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import type { Exchange, ObservedHandler } from './exchange.ts';
import { pathOf } from './request-target.ts';

/** Finds the handler of a request by its method and path. */
export interface Router {
  /** Adds a route. A path parameter is written `{name}`; of several routes that match, the one added first is taken. */
  add(method: string, path: string, handler: ObservedHandler): void;
  /** The handler of the request, whose path parameters are set; null where no route matches. HEAD takes the route of GET. */
  find(exchange: Exchange): ObservedHandler | null;
}

/** Hono's router alone: its web objects cost more than a prediction. Paths are matched as sent, parameters decoded once. */
export function createRouter(): Router {
  const router = new SmartRouter<ObservedHandler>({ routers: [new RegExpRouter(), new TrieRouter()] });
  // Only paths of routes are cached, so that callers cannot add entries.
  const paths = new Set<string>();
  const known = new Map<string, Map<string, ObservedHandler>>();
  return {
    add: (method, path, handler) => {
      paths.add(path);
      router.add(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), handler);
    },
    find: (exchange) => {
      const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
      const path = pathOf(exchange.target);
      const cached = known.get(method)?.get(path);
      if (cached !== undefined) return cached;
      const [matches, values] = router.match(method, path);
      const match = matches[0];
      if (match === undefined) return null;
      const [handler, params] = match;
      const names = Object.keys(params);
      if (names.length === 0) {
        if (paths.has(path))
          known.set(method, (known.get(method) ?? new Map<string, ObservedHandler>()).set(path, handler));
        return handler;
      }
      const textOf = (value: string | number) => decode(typeof value === 'number' ? (values?.[value] ?? '') : value);
      exchange.params = Object.fromEntries(names.map((name) => [name, textOf(params[name] ?? '')]));
      return handler;
    },
  };
}

/** A parameter that cannot be decoded keeps its percent sign, which no id contains. */
function decode(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
