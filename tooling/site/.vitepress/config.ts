import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const { nav, sidebar } = JSON.parse(readFileSync(pathOf('../dist/navigation.json'), 'utf8'));

/** The anchor of a heading, as GitHub makes it, so that one link works there and here. */
const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replace(/\s/g, '-');

export default defineConfig({
  title: 'access-admin',
  description: 'An open, self-hosted access administration service with separation of duties.',
  lang: 'en',
  srcDir: pathOf('../dist/pages/'),
  outDir: pathOf('../dist/site/'),
  cacheDir: pathOf('../node_modules/.vitepress/'),
  // No request for an icon that there is not.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // The index of the search is one file, which is read when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 1000 } },
  markdown: { anchor: { slugify } },
  themeConfig: {
    nav,
    sidebar,
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    docFooter: { prev: 'Previous', next: 'Next' },
    footer: { message: 'Apache-2.0' },
  },
});
