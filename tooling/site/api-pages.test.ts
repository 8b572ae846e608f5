import { createOpenApiDocument } from '@access-admin/contract';
import stringify from 'json-stringify-pretty-compact';
import { expect, test } from 'vitest';
import { type ApiDocument, createApiOverview, createApiPages } from './api-pages.ts';

const document: ApiDocument = JSON.parse(JSON.stringify(createOpenApiDocument('https://access.example.com')));
const pages = createApiPages(document);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('every operation has a section with its examples on one page, and a link in the overview', () => {
  const all = [...pages.values()].join('\n');
  const overview = createApiOverview(document, './api');
  for (const { operationId, requestBody, responses } of operations) {
    expect(all.split(`{#${operationId}}`)).toHaveLength(2);
    expect(overview).toContain(`#${operationId})`);
    const contents = [requestBody, ...Object.entries(responses).map(([status, each]) => (status < '300' ? each : {}))]
      .flatMap((part) => (part !== undefined && 'content' in part ? Object.values(part.content ?? {}) : []))
      .map(({ example }) => example);
    for (const example of contents.filter((each) => each !== undefined))
      expect(all).toContain(typeof example === 'string' ? example.trimEnd() : stringify(example, { maxLength: 76 }));
  }
});

test('a section shows parameters, properties of nested objects by their paths, and refusals', () => {
  const page = pages.get('sod-violations') ?? '';
  expect(page).toContain('`POST /sod-violations/v1/predict`');
  expect(page).toMatch(/^\| `accessRefs\[\]\.type` \| `"ENTITLEMENT"`, .*\|$/m);
  expect(page).toMatch(/^\| `include` \| query \| array of /m);
  expect(page).not.toMatch(/^\| 500 \|/m);
  expect(createApiOverview(document, './api')).toMatch(/^\| 500 \|/m);
  expect(page).toMatch(/^\| 413 \| The body has more than 262144 bytes\. \|$/m);
});
