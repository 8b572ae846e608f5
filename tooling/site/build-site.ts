import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createOpenApiDocument } from '@access-admin/contract';
import { build, serve } from 'vitepress';
import type { ApiDocument } from './api-pages.ts';
import { createNavigation } from './navigation.ts';
import { stagePages } from './stage.ts';

const SITE = import.meta.dirname;
const ROOT = resolve(SITE, '../..');
const PAGES = join(SITE, 'dist/pages');

const { values } = parseArgs({
  options: { serve: { type: 'boolean', default: false }, port: { type: 'string', default: '4173' } },
});

// As a caller reads it.
const document: ApiDocument = JSON.parse(JSON.stringify(createOpenApiDocument('https://access.example.com')));
stagePages(ROOT, PAGES, document);
const list = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
writeFileSync(join(SITE, 'dist/navigation.json'), JSON.stringify(createNavigation(list, PAGES)));
await build(SITE);
process.stdout.write(
  `The documents are in ${relative(ROOT, join(SITE, 'dist/site'))}/; any web server can serve them.\n`,
);
if (values.serve) await serve({ root: SITE, port: Number(values.port) });
