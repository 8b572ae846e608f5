import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Part, readContents } from './contents.ts';

/** An item of the navigation, as VitePress takes it. */
export interface Item {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Item[];
  readonly collapsed?: boolean;
  /** The addresses at which the item is marked, as a regular expression. */
  readonly activeMatch?: string;
}

/** The navigation of the staged pages: the parts of the list of documents, with the decisions and the pages of the API below theirs. */
export function createNavigation(list: string, pages: string): { readonly nav: Item[]; readonly sidebar: Item[] } {
  const contents = readContents(list);
  return {
    nav: contents.map(({ title, entries }) => ({
      text: title,
      link: entries[0]?.link ?? '/',
      activeMatch: `^/${title.toLowerCase()}/`,
    })),
    sidebar: contents.map((part) => sidebarOf(part, pages)),
  };
}

function sidebarOf({ title, entries }: Part, pages: string): Item {
  const items = entries.flatMap((entry): readonly Item[] => {
    if (entry.link === '/decisions/') return [entry, ...below('decisions', pages)];
    if (entry.link === '/reference/api') return [{ ...entry, items: below('reference/api', pages), collapsed: true }];
    return [entry];
  });
  return { text: title, items, collapsed: title === 'Decisions' };
}

function below(folder: string, pages: string): readonly Item[] {
  return readdirSync(join(pages, folder))
    .filter((name) => name !== 'index.md')
    .sort()
    .map((name) => ({ text: titleOf(join(pages, folder, name)), link: `/${folder}/${name.replace(/\.md$/, '')}` }));
}

// Items of the navigation are no Markdown.
const titleOf = (path: string) =>
  readFileSync(path, 'utf8').split('\n')[0]?.replace(/^# /, '').replaceAll('`', '') ?? '';
