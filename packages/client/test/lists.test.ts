import { describe, expect, test } from 'vitest';
import type { AccessAdminClient, Page, PageOptions } from '../src/index.ts';
import { openStage } from './fixtures.ts';
import { json, refusal } from './scripted-server.ts';

const items = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ id: `x-${from + index}` }));
const next = (path: string) => ({ link: `<http://elsewhere.example${path}?offset=2>; rel="next"` });

interface List {
  readonly path: string;
  readonly of: (admin: AccessAdminClient) => {
    list(options?: { readonly signal?: AbortSignal }): AsyncIterable<unknown>;
    page(options?: PageOptions): Promise<Page<unknown>>;
  };
}

const LISTS: readonly List[] = [
  { path: '/auth-profiles/v1', of: ({ authProfiles }) => authProfiles },
  { path: '/oauth-clients/v1', of: ({ oauthClients }) => oauthClients },
  { path: '/tenants/v1', of: ({ tenants }) => tenants },
  { path: '/audit-events/v1', of: ({ auditEvents }) => auditEvents },
];

describe.each(LISTS)('$path', ({ path, of }) => {
  test('is read page by page until there is no next link, always from the same address', async () => {
    await using stage = await openStage();
    stage.server.script(`GET ${path}?offset=0`, json(200, items(0, 2), next(path)));
    stage.server.script(`GET ${path}?offset=2`, json(200, items(2, 4), next(path)));
    stage.server.script(`GET ${path}?offset=4`, json(200, items(4, 5)));
    const seen = [];
    for await (const item of of(stage.admin).list()) seen.push(item);
    expect(seen).toEqual(items(0, 5));
    expect(stage.server.arrivals).toHaveLength(3);
  });

  test('requests a page only when the iteration reaches it', async () => {
    await using stage = await openStage();
    stage.server.script(`GET ${path}?offset=0`, json(200, items(0, 2), next(path)));
    for await (const _ of of(stage.admin).list()) break;
    expect(stage.server.arrivals).toHaveLength(1);
  });

  test('an empty page ends the iteration, even with a next link', async () => {
    await using stage = await openStage();
    stage.server.script(`GET ${path}?offset=0`, json(200, [], next(path)));
    for await (const item of of(stage.admin).list()) expect.unreachable(String(item));
    expect(stage.server.arrivals).toHaveLength(1);
  });

  test('a failure of a later page ends the iteration', async () => {
    await using stage = await openStage();
    stage.server.script(`GET ${path}?offset=0`, json(200, items(0, 2), next(path)));
    stage.server.script(`GET ${path}?offset=2`, refusal(403, '403'));
    const read = async () => {
      for await (const _ of of(stage.admin).list());
    };
    await expect(read()).rejects.toMatchObject({ name: 'ForbiddenError' });
  });

  test('an iteration ends with the reason of its signal', async () => {
    await using stage = await openStage();
    const read = async () => {
      for await (const _ of of(stage.admin).list({ signal: AbortSignal.abort('no') }));
    };
    await expect(read()).rejects.toBe('no');
  });

  test('a page has its items, the total if counted, and whether there are more', async () => {
    await using stage = await openStage();
    stage.server.script(
      `GET ${path}?limit=2&offset=4&count=true`,
      json(200, items(4, 6), { 'x-total-count': '9', ...next(path) }),
    );
    stage.server.script(`GET ${path}`, json(200, []));
    await expect(of(stage.admin).page({ limit: 2, offset: 4, count: true })).resolves.toEqual({
      items: items(4, 6),
      total: 9,
      more: true,
    });
    await expect(of(stage.admin).page()).resolves.toEqual({ items: [], total: null, more: false });
  });

  test('ignores links to pages other than the next', async () => {
    await using stage = await openStage();
    stage.server.script(`GET ${path}`, json(200, items(0, 2), { link: `<${path}?offset=0>; rel="prev"` }));
    await expect(of(stage.admin).page()).resolves.toMatchObject({ more: false });
  });
});

test('a page of the violations of a report is read from lines', async () => {
  await using stage = await openStage();
  const path = '/sod-reports/v1/r-1/violations';
  const headers = { ...next(path), 'x-total-count': '3' };
  const lines = items(0, 2).map((item) => `${JSON.stringify(item)}\n`);
  stage.server.script(`GET ${path}?change=new&limit=2&offset=0&count=true`, (response) =>
    response.writeHead(200, { 'content-type': 'application/x-ndjson', ...headers }).end(lines.join('')),
  );
  const { violationsPage } = stage.admin.sodReports;
  const page = await violationsPage('r-1', { change: 'new', limit: 2, offset: 0, count: true });
  expect(page).toEqual({ items: items(0, 2), total: 3, more: true });
});
