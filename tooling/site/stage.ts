import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ApiDocument, createApiOverview, createApiPages } from './api-pages.ts';
import { OUTSIDE_PAGES, rewriteLinks } from './links.ts';

const API_PAGE = 'reference/api.md';
const API_FOLDER = 'reference/api';

/** Writes all pages of the site below `folder`: the documents, the texts outside of `docs/`, and the reference of the API. */
export function stagePages(root: string, folder: string, document: ApiDocument): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, 'docs'), folder, { recursive: true });
  rmSync(join(folder, 'README.md'));
  const write = (page: string, text: string) => {
    mkdirSync(dirname(join(folder, page)), { recursive: true });
    writeFileSync(join(folder, page), text);
  };
  const read = (path: string) => withPictures(rewriteLinks(readFileSync(join(root, path), 'utf8'), path));
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  for (const path of documents.filter((name) => name.endsWith('.md') && name !== 'README.md'))
    write(path, read(`docs/${path}`));
  for (const [path, page] of Object.entries(OUTSIDE_PAGES)) write(page, read(path));
  write('index.md', read('docs/README.md'));
  write('decisions/index.md', decisionsIndex(root));
  write(API_PAGE, `${read(`docs/${API_PAGE}`)}\n${createApiOverview(document, './api')}`);
  for (const [name, text] of createApiPages(document)) write(`${API_FOLDER}/${name}.md`, text);
}

function decisionsIndex(root: string): string {
  const rows = readdirSync(join(root, 'docs/decisions'))
    .sort()
    .map((name) => {
      const [title = name] = readFileSync(join(root, 'docs/decisions', name), 'utf8').split('\n');
      return `- [${title.replace(/^# /, '')}](./${name})`;
    });
  return `# Decisions\n\nWhat callers can see and what had to be decided for it, in the order of the decisions. The architecture says what is where today.\n\n${rows.join('\n')}\n`;
}

/** GitHub chooses a picture by the system's colours; the site by the reader's choice, with a class each. */
function withPictures(text: string): string {
  return text.replaceAll(
    /<picture>\s*<source [^>]*srcset="([^"]+)">\s*<img src="([^"]+)"([^>]*)>\s*<\/picture>/g,
    (_, dark: string, light: string, rest: string) =>
      `<img class="in-light" src="${relative(light)}"${rest}>\n<img class="in-dark" src="${relative(dark)}"${rest}>`,
  );
}

const relative = (path: string) => (path.startsWith('.') ? path : `./${path}`);
