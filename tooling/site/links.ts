import { posix } from 'node:path';

/** Pages of the site whose text is kept outside of `docs/`, by the path of the text in the repository. */
export const OUTSIDE_PAGES: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': 'guides/contributing.md',
  'SECURITY.md': 'operations/security.md',
  'packages/client/README.md': 'reference/client.md',
};

const DOCS = 'docs/';
const LINK = /\[((?:[^[\]]|!?\[[^\]]*\])*)\]\((?!https?:|mailto:|#)([^)\s]+)\)/g;

/** The page of a file of the repository, as a path of the site; null for a file that has no page. */
export function pageOf(path: string): string | null {
  if (path === 'README.md' || path === `${DOCS}README.md`) return 'index.md';
  if (path === 'docs/decisions' || path === 'docs/decisions/') return 'decisions/index.md';
  return path.startsWith(DOCS) ? path.slice(DOCS.length) : (OUTSIDE_PAGES[path] ?? null);
}

/** The text of a page with its links as the site needs them. A link to a file without a page becomes its text. */
export function rewriteLinks(text: string, path: string): string {
  const from = posix.dirname(pageOf(path) ?? path);
  return text.replaceAll(LINK, (_, label: string, target: string) => {
    const [file = '', hash] = target.split('#');
    const page = pageOf(posix.normalize(posix.join(posix.dirname(path), file)));
    if (page === null) return label;
    const relative = posix.relative(from, page);
    return `[${label}](./${relative}${hash === undefined ? '' : `#${hash}`})`;
  });
}
