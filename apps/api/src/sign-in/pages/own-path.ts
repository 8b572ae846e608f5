const LENGTH_MAX = 1024;
const BASE = 'http://own.invalid';
/** Pages of the sign-in itself: a redirect to them after it would lead in a circle. */
const NO_TARGETS = /^\/(?:login|sign-in-link|sign-out)(?:[/?#]|$)/;

/** The path that a page leads to after a sign-in: the given one if it is a path of this service, otherwise `/`. */
export function ownPath(given: string | undefined): string {
  const path = localPath(given);
  return NO_TARGETS.test(path) ? '/' : path;
}

/**
 * The given path if it is one of this service, pages of the sign-in included, otherwise `/`. Refused are other origins in every
 * form that a browser, a proxy or a further decoding may read as one.
 */
export function localPath(given: string | undefined): string {
  if (given === undefined || given.length > LENGTH_MAX || !isPlain(given)) return '/';
  const url = URL.parse(given, BASE);
  if (url === null || url.origin !== BASE) return '/';
  const path = `${url.pathname}${url.search}${url.hash}`;
  return isPlain(path) ? path : '/';
}

/** Whether a text begins with one slash, as it stands and decoded any number of times, and has no character that parsers drop. */
function isPlain(text: string): boolean {
  let decoded = text;
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    if (!decoded.startsWith('/') || /^\/[/\\]/.test(decoded) || /[\\\p{Cc}]/u.test(decoded)) return false;
    const again = decode(decoded);
    if (again === decoded) return true;
    if (again === null) return false;
    decoded = again;
  }
  return false;
}

const DEPTH_MAX = 4;

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
