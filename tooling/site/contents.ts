import { rewriteLinks } from './links.ts';

/** A page in the table of contents. */
export interface Entry {
  readonly text: string;
  /** The address in the site, without an ending. */
  readonly link: string;
}

/** A part of the documents, in reading order. */
export interface Part {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The parts and pages that `docs/README.md` lists: `## part`, then a list whose items begin with a link. */
export function readContents(text: string): readonly Part[] {
  return rewriteLinks(text, 'docs/README.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n')[0]?.trim() ?? '',
      entries: [...section.matchAll(/^- \[([^\]]+)\]\(\.\/([^)#]+)\.md\)/gm)].map(([, entry = '', page = '']) => ({
        text: entry,
        link: `/${page.replace(/(^|\/)index$/, '$1')}`,
      })),
    }));
}
