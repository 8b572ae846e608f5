/** The path of a target, in origin or absolute form, as it was sent. */
export function pathOf(target: string): string {
  const path = withoutOrigin(target);
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/** The path and the query of a target. */
export const pathAndQueryOf = (target: string): string => withoutOrigin(target).replace(/#.*$/, '');

function withoutOrigin(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^[^:]*:\/\/[^/?#]*/, '');
  // The path of an address without one is empty, also where a query follows.
  return rest.startsWith('/') ? rest : `/${rest}`;
}
