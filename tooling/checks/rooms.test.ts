import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, importsOf, MODULES, PACKAGES, read } from './repository.ts';

/** The files that `src/` holds beside its rooms. */
const TOP_FILES = [
  'index.ts',
  'main.ts',
  'main.tsx',
  'app.ts',
  'config.ts',
  'env.ts',
  'services.ts',
  'limits.ts',
  'errors.ts',
  'client.ts',
];

/** Hono's environment: types alone, those of all services among them. */
const ENVIRONMENT = 'apps/api/src/env.ts';

const packages = [...PACKAGES.keys()].filter((folder) => FILES.some((path) => path.startsWith(`${folder}/src/`)));
const sourcesOf = (folder: string) =>
  MODULES.filter((path) => path.startsWith(`${folder}/src/`) && /\.tsx?$/.test(path));

/** The relative imports of a file, type-only ones included, as paths of this repository. */
const targetsOf = (path: string) =>
  importsOf(path)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier));

/** The rooms that a package's README lists, from bottom to top, as folders. */
function roomsOf(folder: string): readonly string[] {
  const path = `${folder}/README.md`;
  if (!FILES.includes(path)) return [];
  return [...read(path).matchAll(/^\d+\. `([\w./-]+)\/`/gm)].map(([, room]) => `${folder}/src/${room}/`);
}

/** The innermost of the rooms that holds a file; null for a file outside of all rooms. */
function roomOf(path: string, rooms: readonly string[]): string | null {
  const holding = rooms.filter((room) => path.startsWith(room));
  return holding.toSorted((one, other) => other.length - one.length)[0] ?? null;
}

/** The nodes of a graph that can reach themselves. */
function findCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  return [...edges.keys()].filter((start) => {
    const reached = new Set(edges.get(start));
    for (const node of reached) for (const next of edges.get(node) ?? []) reached.add(next);
    return reached.has(start);
  });
}

test.each(packages)('the files of %s import each other without cycles', (folder) => {
  const sources = sourcesOf(folder).filter((path) => path !== ENVIRONMENT);
  expect(findCycles(new Map(sources.map((path) => [path, new Set(targetsOf(path))])))).toEqual([]);
});

test('the environment of Hono imports types alone', () => {
  expect(read(ENVIRONMENT)).not.toMatch(/^import (?!type )/m);
});

test.each(packages)('the folders of %s import each other without cycles', (folder) => {
  const edges = new Map<string, Set<string>>();
  const top = `${folder}/src`;
  for (const path of sourcesOf(folder).filter((source) => posix.dirname(source) !== top)) {
    const from = posix.dirname(path);
    const beyond = targetsOf(path)
      .map(posix.dirname)
      .filter((to) => to !== from && to !== top);
    edges.set(from, new Set([...(edges.get(from) ?? []), ...beyond]));
  }
  expect(findCycles(edges)).toEqual([]);
});

test.each(packages)('the README of %s lists its rooms, and no room that does not exist', (folder) => {
  const rooms = roomsOf(folder);
  const homeless = sourcesOf(folder).filter(
    (path) => posix.dirname(path) !== `${folder}/src` && roomOf(path, rooms) === null,
  );
  const empty = rooms.filter((room) => !FILES.some((path) => path.startsWith(room)));
  expect({ homeless, empty }).toEqual({ homeless: [], empty: [] });
});

test.each(packages)('no file of %s imports from a room above its own', (folder) => {
  const rooms = roomsOf(folder);
  const heightOf = (path: string) => {
    const room = roomOf(path, rooms);
    return room === null ? rooms.length : rooms.indexOf(room);
  };
  const upward = sourcesOf(folder)
    .filter((path) => roomOf(path, rooms) !== null)
    .flatMap((path) =>
      targetsOf(path)
        .filter((target) => roomOf(target, rooms) !== null && heightOf(target) > heightOf(path))
        .map((target) => `${path} imports ${target}`),
    );
  expect(upward).toEqual([]);
});

test.each(packages)('src of %s holds folders and a few well-known files', (folder) => {
  const beside = sourcesOf(folder).filter((path) => posix.dirname(path) === `${folder}/src`);
  expect(beside.filter((path) => !TOP_FILES.includes(posix.basename(path)))).toEqual([]);
});

// Tooling is left out: files of campaigns and comparisons are named after their subject.
test.each(packages.filter((folder) => !folder.startsWith('tooling/')))(
  'no file name of %s begins with the name of its folder',
  (folder) => {
    const repeating = sourcesOf(folder).filter((path) => {
      const room = posix.basename(posix.dirname(path));
      const name = posix.basename(path);
      return name.startsWith(`${room}-`) || name.startsWith(`${room.replace(/ies$/, 'y').replace(/s$/, '')}-`);
    });
    expect(repeating).toEqual([]);
  },
);
