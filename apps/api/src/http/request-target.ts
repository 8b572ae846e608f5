/** The path of a target, in origin or absolute form, as it was sent. */
export function pathOf(target: string): string {
  const path = withoutOrigin(target);
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

function withoutOrigin(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.indexOf('/', target.indexOf('://') + 3);
  return path === -1 ? '/' : target.slice(path);
}
