import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { rememberFixedPaths } from './fixed-paths.ts';

/** An application with two routes that match `/things/all`. */
function openApp() {
  const app = new Hono();
  app.get('/things/all', (c) => c.text('all'));
  app.get('/things/:id', (c) => c.text(`one ${c.req.param('id')}`));
  app.put('/things/:id', (c) => c.text(`put ${c.req.param('id')}`));
  // The router chooses one for its routes with the first search.
  app.router.match('GET', '/');
  const match = vi.spyOn(app.router, 'match');
  app.router = rememberFixedPaths(app.router, app.routes);
  const call = async (method: string, path: string) => (await app.request(path, { method })).text();
  return { call, match };
}

test('a path without parameters is searched once for each method', async () => {
  const { call, match } = openApp();
  for (let count = 0; count < 3; count++) expect(await call('GET', '/things/all')).toBe('all');
  expect(match).toHaveBeenCalledTimes(1);
});

test('a path with parameters is searched each time, and so is a method that has no route for a fixed path', async () => {
  const { call, match } = openApp();
  for (const id of ['a', 'b', 'a']) expect(await call('GET', `/things/${id}`)).toBe(`one ${id}`);
  for (let count = 0; count < 2; count++) expect(await call('PUT', '/things/all')).toBe('put all');
  expect(await call('GET', '/things/all')).toBe('all');
  expect(match).toHaveBeenCalledTimes(6);
});
