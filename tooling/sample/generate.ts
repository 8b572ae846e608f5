// Writes the committed sample anew: `node_modules/.bin/node tooling/sample/generate.ts`.
import { writeFileSync } from 'node:fs';
import { buildSample } from './build-sample.ts';

writeFileSync(new URL('sample.ndjson', import.meta.url), buildSample());
