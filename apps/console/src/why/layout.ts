import { type Explanation, labelOf, type Step } from './explain.ts';

/** The columns of the graph, from the left. */
export const COLUMNS = ['PERSON', 'ACCOUNT', 'ROLE', 'ACCESS_PROFILE', 'ENTITLEMENT'] as const;
type Column = (typeof COLUMNS)[number];

export const BOX = { width: 164, height: 44 } as const;
const GAP = { x: 24, y: 8, side: 12 } as const;
/** The room above the boxes for the names of the columns, and above those of a side for its name. */
const HEAD = 28;
const SIDE_HEAD = 24;
/** The room in a column that a line gets which passes it. */
const PASS_HEIGHT = 4;
/** A larger graph explains less than the text does. */
const BOXES_MAX = 40;

export interface Box {
  readonly key: string;
  readonly column: Column;
  readonly name: string;
  /** The position of its side; null for what is not an item. */
  readonly side: number | null;
  readonly x: number;
  readonly y: number;
}

/** A line between two boxes, which runs level from each of its passes across the column that begins there. */
export interface Line {
  readonly from: Box;
  readonly to: Box;
  readonly passes: readonly { readonly x: number; readonly y: number }[];
}

/** A graph from a person to the items of each side. */
export interface Graph {
  readonly width: number;
  readonly height: number;
  readonly columns: readonly { readonly column: Column; readonly x: number }[];
  /** The names of the sides, above their items. */
  readonly sides: readonly { readonly name: string; readonly x: number; readonly y: number }[];
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

/** Places the ways from a person to the items; null where there are too many to be drawn. */
export function layOut(person: string, sides: Explanation['sides']): Graph | null {
  const { names, links } = readLinks(person, sides);
  if (names.size > BOXES_MAX) return null;
  const columns = COLUMNS.filter((column) => [...names.values()].some((each) => each.column === column)).map(
    (column, at) => ({ column, x: at * (BOX.width + GAP.x) }),
  );
  const placeOf = (key: string) => columns.findIndex(({ column }) => column === names.get(key)?.column);
  const chains = links.map(([from, to]) => ({ from, to, passes: passesOf(from, to, placeOf) }));
  const items = placeItems(sides, columns.at(-1)?.x ?? 0);
  const boxes = new Map(items.boxes.map((box) => [box.key, box]));
  const middles = new Map(items.boxes.map(({ key, y }) => [key, y + BOX.height / 2]));
  const next = nextOf(chains);
  for (const [at, { column, x }] of [...columns.entries()].toReversed().slice(1)) {
    const named = [...names].flatMap(([key, each]) => (each.column === column ? { key, ...each } : []));
    const passing = chains.flatMap(({ passes }) => passes.filter((pass) => pass.at === at));
    const waiting = [...named, ...passing].map((each) => ({ ...each, wished: middleOf(next.get(each.key), middles) }));
    let free: number = HEAD;
    for (const each of waiting.toSorted((one, other) => one.wished - other.wished)) {
      const height = 'name' in each ? BOX.height : PASS_HEIGHT;
      const y = Math.max(free, each.wished - height / 2);
      free = y + height + GAP.y;
      middles.set(each.key, y + height / 2);
      if ('name' in each) boxes.set(each.key, { key: each.key, column, name: each.name, side: null, x, y });
    }
  }
  const lines = chains.flatMap(({ from, to, passes }) => {
    const one = boxes.get(from);
    const other = boxes.get(to);
    const through = passes.map(({ key, at }) => ({ x: columns[at]?.x ?? 0, y: middles.get(key) ?? 0 }));
    return one === undefined || other === undefined ? [] : { from: one, to: other, passes: through };
  });
  const ends = [
    ...[...boxes.values()].map(({ y }) => y + BOX.height),
    ...lines.flatMap(({ passes }) => passes.map(({ y }) => y)),
  ];
  const width = (columns.at(-1)?.x ?? 0) + BOX.width;
  return { width, height: Math.max(...ends) + 2, columns, sides: items.heads, boxes: [...boxes.values()], lines };
}

/** A place in a column that a line passes. */
interface Pass {
  readonly key: string;
  /** The position of the column. */
  readonly at: number;
}

interface Chain {
  readonly from: string;
  readonly to: string;
  readonly passes: readonly Pass[];
}

/** The columns between two boxes, in which a line between them needs a place of its own. */
const passesOf = (from: string, to: string, placeOf: (key: string) => number): readonly Pass[] =>
  Array.from({ length: placeOf(to) - placeOf(from) - 1 }, (_, passed) => ({
    key: `${from}\n${to}\n${passed}`,
    at: placeOf(from) + 1 + passed,
  }));

/** What each box and each pass leads to. */
function nextOf(chains: readonly Chain[]): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, string[]>();
  for (const { from, to, passes } of chains) {
    const keys = [from, ...passes.map(({ key }) => key), to];
    for (const [at, key] of keys.slice(1).entries()) {
      const before = keys[at] ?? from;
      next.set(before, [...(next.get(before) ?? []), key]);
    }
  }
  return next;
}

const PERSON = 'person';
const keyOf = ({ type, id }: Step): string => `${type} ${id}`;
const itemKey = (side: number, id: string): string => `item ${side} ${id}`;

/** What the graph has, and what leads to what, each once. */
function readLinks(person: string, sides: Explanation['sides']) {
  const names = new Map<string, { readonly column: Column; readonly name: string }>([
    [PERSON, { column: 'PERSON', name: person }],
  ]);
  const links = new Map<string, readonly [string, string]>();
  for (const [side, { items }] of sides.entries()) {
    for (const { id, name, ways } of items) {
      names.set(itemKey(side, id), { column: 'ENTITLEMENT', name });
      for (const way of ways) {
        for (const step of way) names.set(keyOf(step), { column: step.type, name: labelOf(step) });
        const keys = [PERSON, ...way.map(keyOf), itemKey(side, id)];
        for (const [at, to] of keys.slice(1).entries()) links.set(`${keys[at]}\n${to}`, [keys[at] ?? '', to]);
      }
    }
  }
  return { names, links: [...links.values()] };
}

/** The items of all sides below each other, each side under its name. */
function placeItems(sides: Explanation['sides'], x: number) {
  const boxes: Box[] = [];
  const heads: Graph['sides'][number][] = [];
  let y = HEAD;
  for (const [side, { name: sideName, items }] of sides.entries()) {
    heads.push({ name: sideName, x, y });
    y += SIDE_HEAD;
    for (const { id, name } of items) {
      boxes.push({ key: itemKey(side, id), column: 'ENTITLEMENT', name, side, x, y });
      y += BOX.height + GAP.y;
    }
    y += GAP.side;
  }
  return { boxes, heads };
}

/** The middle of what something leads to. */
function middleOf(next: readonly string[] = [], middles: ReadonlyMap<string, number>): number {
  const found = next.flatMap((key) => middles.get(key) ?? []);
  return found.length === 0 ? HEAD : (Math.min(...found) + Math.max(...found)) / 2;
}

/** A name of at most so many characters. */
export const shortenName = (name: string, length: number): string =>
  name.length > length ? `${name.slice(0, length - 1)}…` : name;

/** The lines of a name in a box: at most two, the last with an ellipsis where the name is longer. */
export function wrapName(name: string, length: number): readonly string[] {
  const words = name.slice(0, length * 3).split(/\s+/);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= length) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const shown = lines.slice(0, 2).map((line) => shortenName(line, length));
  if (lines.length <= 2 || shown[1] === undefined) return shown;
  return [shown[0] ?? '', shown[1].endsWith('…') ? shown[1] : `${shown[1].slice(0, length - 1)}…`];
}
