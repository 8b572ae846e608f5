import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { type Part, readContents } from '../contents.ts';
import { slugOf } from '../slug.ts';

const pages = new URL('../dist/pages/', import.meta.url);
const contents = readContents(readFileSync(new URL('../../../docs/README.md', import.meta.url), 'utf8'));

const titleOf = (page: string) => readFileSync(new URL(page, pages), 'utf8').split('\n')[0]?.replace(/^# /, '') ?? page;

const below = (folder: string): DefaultTheme.SidebarItem[] =>
  readdirSync(new URL(folder, pages))
    .filter((name) => name !== 'index.md')
    .sort()
    .map((name) => ({ text: titleOf(folder + name), link: `/${folder}${name.replace(/\.md$/, '')}` }));

const sidebarOf = ({ title, entries }: Part): DefaultTheme.SidebarItem => ({
  text: title,
  collapsed: title === 'Decisions',
  items: entries.flatMap((entry) => {
    if (entry.link === '/decisions/') return [{ ...entry, text: 'All decisions' }, ...below('decisions/')];
    return [entry.link === '/reference/api' ? { ...entry, items: below('reference/api/'), collapsed: true } : entry];
  }),
});

export default defineConfig({
  title: 'access-admin',
  description: 'An open, self-hosted access administration service with separation of duties.',
  lang: 'en',
  srcDir: fileURLToPath(pages),
  outDir: fileURLToPath(new URL('../dist/site/', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../node_modules/.vitepress/', import.meta.url)),
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  cleanUrls: false,
  // The index of the search is one file, which is read when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 1000 } },
  markdown: { anchor: { slugify: slugOf } },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: contents.map(({ title, entries }) => ({
      text: title,
      link: entries[0]?.link ?? '/',
      activeMatch: `^/${title.toLowerCase()}/`,
    })),
    sidebar: contents.map(sidebarOf),
    docFooter: { prev: 'Previous', next: 'Next' },
    footer: { message: 'Apache-2.0' },
  },
});
