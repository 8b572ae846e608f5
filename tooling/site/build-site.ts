import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createOpenApiDocument } from '@access-admin/contract';
import { build, serve } from 'vitepress';
import type { ApiDocument } from './api-pages.ts';
import { stagePages } from './stage.ts';

const SITE = import.meta.dirname;
const ROOT = resolve(SITE, '../..');

const { values } = parseArgs({
  options: { serve: { type: 'boolean', default: false }, port: { type: 'string', default: '4173' } },
});

stagePages(
  ROOT,
  join(SITE, 'dist/pages'),
  createOpenApiDocument('https://access.example.com') as unknown as ApiDocument,
);
await build(SITE);
process.stdout.write(
  `The documents are in ${relative(ROOT, join(SITE, 'dist/site'))}/; any web server can serve them.\n`,
);
if (values.serve) await serve({ root: SITE, port: Number(values.port) });
