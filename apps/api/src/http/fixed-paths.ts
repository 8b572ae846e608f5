import type { Result, Router } from 'hono/router';

/**
 * A router that remembers what another one answers for paths without parameters. The search takes longer than most steps before a
 * handler, and such paths, with the methods of their routes, are as few as the routes.
 */
export function rememberFixedPaths<T>(
  router: Router<T>,
  routes: readonly { readonly method: string; readonly path: string }[],
): Router<T> {
  const fixed = new Set(routes.filter(({ path }) => !/[:*]/.test(path)).map(({ method, path }) => `${method} ${path}`));
  const known = new Map<string, Result<T>>();
  return {
    name: `FixedPaths + ${router.name}`,
    add: (method, path, handler) => router.add(method, path, handler),
    match: (method, path) => {
      const key = `${method} ${path}`;
      const remembered = known.get(key);
      if (remembered !== undefined) return remembered;
      const found = router.match(method, path);
      if (fixed.has(key)) known.set(key, found);
      return found;
    },
  };
}
