import { type AddressInfo, connect, createServer } from 'node:net';
import type { Page, Request } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { linkOf, useConsole } from './window.ts';

const LATEST_MS = 10_000;
const opened = useConsole();

const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

/** Resolves once the page says that it is not live, and how long it has taken. */
async function isNotLive(page: Page, sinceMs: number): Promise<number> {
  await page.getByText('Not live').waitFor();
  await page.getByText('The connection is lost.').waitFor();
  return Date.now() - sinceMs;
}

const PAGES = ['', 'policies', 'audit-log'] as const;

test('of a service that hangs, each page says so in time', async () => {
  const { office, openWindow, openBlankWindow } = opened();
  // Signing in once more would end the session of the windows before.
  const cookies = await (await openWindow()).context().cookies();
  const pages: Page[] = [];
  for (const path of PAGES) {
    const page = await openBlankWindow();
    await page.context().addCookies(cookies);
    await page.goto(`${office.address}/console/${path}`);
    await isLive(page);
    pages.push(page);
  }
  const sinceMs = Date.now();
  office.pauseApi();
  try {
    const latencies = await Promise.all(pages.map((page) => isNotLive(page, sinceMs)));
    for (const [at, path] of PAGES.entries()) expect(latencies[at], `/${path}`).toBeLessThan(LATEST_MS);
  } finally {
    office.resumeApi();
  }
  for (const page of pages) {
    await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
    await isLive(page);
  }
});

test('of a service that has stopped the page says so in time, and shows what changed as soon as it is back', async () => {
  const { office, openWindow } = opened();
  const page = await openWindow();
  const { open, byPolicy } = await office.client.violations.summary();
  const [first] = byPolicy;
  if (first === undefined) throw new Error('the sample has no violation');
  await isLive(page);
  const sinceMs = Date.now();
  await office.stopApi();
  expect(await isNotLive(page, sinceMs)).toBeLessThan(LATEST_MS);
  await office.startApi();
  const setState = (value: string) =>
    office.client.sodPolicies.patch(first.policy.id, [{ op: 'replace', path: '/state', value }]);
  await setState('NOT_ENFORCED');
  await isLive(page);
  await linkOf(page, new RegExp(`^${open - first.open} open violations$`)).waitFor();
  await setState('ENFORCED');
  await linkOf(page, new RegExp(`^${open} open violations$`)).waitFor();
});

test('eight windows of a browser share one stream, and go on when the one that reads it is closed', async () => {
  const { office, openBlankWindow } = opened();
  const first = await openBlankWindow();
  const streams = new Set<Request>();
  first.context().on('request', (request) => {
    if (request.url().includes('/events/v1?after=')) streams.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    first.context().on(end as 'requestfinished', (request) => streams.delete(request));
  // The end of a stream of a window that is closed is not told.
  const count = () => [...streams].filter((stream) => !stream.frame().page().isClosed()).length;
  await office.signIn(first);
  const others: Page[] = [];
  for (let opening = 0; opening < 7; opening++) {
    const other = await first.context().newPage();
    await other.goto(`${office.address}/console/`);
    others.push(other);
  }
  await Promise.all([first, ...others].map(isLive));
  const { open, byPolicy } = await office.client.violations.summary();
  const [policy] = byPolicy;
  if (policy === undefined) throw new Error('the sample has no violation');
  const setState = (value: string) =>
    office.client.sodPolicies.patch(policy.policy.id, [{ op: 'replace', path: '/state', value }]);
  await setState('NOT_ENFORCED');
  const without = new RegExp(`^${open - policy.open} open violations$`);
  await Promise.all([first, ...others].map((page) => linkOf(page, without).waitFor()));
  await expect.poll(count).toBe(1);
  await first.close();
  await expect.poll(count).toBe(1);
  await setState('ENFORCED');
  await Promise.all(others.map((page) => linkOf(page, new RegExp(`^${open} open violations$`)).waitFor()));
  await Promise.all(others.map(isLive));
  await expect.poll(count).toBe(1);
  const sinceMs = Date.now();
  office.pauseApi();
  try {
    for (const latency of await Promise.all(others.map((page) => isNotLive(page, sinceMs))))
      expect(latency).toBeLessThan(LATEST_MS);
  } finally {
    office.resumeApi();
  }
  await Promise.all(others.map(isLive));
});

/** A proxy before a service that can drop what the service still sends on the connections of its streams of events, and leave them open. */
async function openProxy(service: string) {
  const { port, hostname } = new URL(service);
  /** One for each stream that was requested. */
  const drops: (() => void)[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const drop = () => {
      far.unpipe(near);
      far.resume();
    };
    near.on('data', (data) => {
      if (/^GET \S*\/events\/v1\?after=.*^accept: text\/event-stream/ims.test(data.toString())) drops.push(drop);
    });
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => void server.close());
  const { port: own } = server.address() as AddressInfo;
  return {
    address: `http://localhost:${own}`,
    streams: () => drops.length,
    dropStreams: () => {
      for (const drop of drops) drop();
    },
  };
}

test('where a proxy drops the stream without closing it, the page shows in time what has changed', async () => {
  const { office, openWindow } = opened();
  const proxy = await openProxy(office.address);
  const page = await openWindow();
  await page.goto(`${proxy.address}/console/`);
  await isLive(page);
  const { open, byPolicy } = await office.client.violations.summary();
  const [first] = byPolicy;
  if (first === undefined) throw new Error('the sample has no violation');
  expect(proxy.streams()).toBe(1);
  proxy.dropStreams();
  const setState = (value: string) =>
    office.client.sodPolicies.patch(first.policy.id, [{ op: 'replace', path: '/state', value }]);
  await setState('NOT_ENFORCED');
  const sinceMs = Date.now();
  await expect.poll(proxy.streams).toBe(2);
  await linkOf(page, new RegExp(`^${open - first.open} open violations$`)).waitFor();
  expect(Date.now() - sinceMs).toBeLessThan(LATEST_MS);
  await isLive(page);
  await setState('ENFORCED');
  await linkOf(page, new RegExp(`^${open} open violations$`)).waitFor();
});
