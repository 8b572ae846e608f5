import { type Explanation, labelOf, type Step } from './explain.ts';

/** The columns of the graph, from the left. */
export const COLUMNS = ['PERSON', 'ACCOUNT', 'ROLE', 'ACCESS_PROFILE', 'ENTITLEMENT'] as const;
type Column = (typeof COLUMNS)[number];

export const BOX = { width: 164, height: 44 } as const;
const GAP = { x: 24, y: 8, side: 12 } as const;
/** The room above the boxes for the names of the columns, and above those of a side for its name. */
const HEAD = 28;
const SIDE_HEAD = 24;
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

/** A graph from a person to the items of each side. */
export interface Graph {
  readonly width: number;
  readonly height: number;
  readonly columns: readonly { readonly column: Column; readonly x: number }[];
  /** The names of the sides, above their items. */
  readonly sides: readonly { readonly name: string; readonly x: number; readonly y: number }[];
  readonly boxes: readonly Box[];
  readonly lines: readonly { readonly from: Box; readonly to: Box }[];
}

/** Places the ways from a person to the items; null where there are too many to be drawn. */
export function layOut(person: string, sides: Explanation['sides']): Graph | null {
  const { names, links } = readLinks(person, sides);
  if (names.size > BOXES_MAX) return null;
  const columns = COLUMNS.filter((column) => [...names.values()].some((each) => each.column === column)).map(
    (column, at) => ({ column, x: at * (BOX.width + GAP.x) }),
  );
  const xOf = (column: Column) => columns.find((each) => each.column === column)?.x ?? 0;
  const items = placeItems(sides, xOf('ENTITLEMENT'));
  const placed = new Map(items.boxes.map((box) => [box.key, box]));
  for (const { column } of columns.toReversed().slice(1)) {
    let free = HEAD;
    const waiting = [...names].filter(([, each]) => each.column === column);
    const wished = waiting.map(([key, { name }]) => ({ key, name, y: middleOf(links, placed, key) }));
    for (const { key, name, y } of wished.toSorted((one, other) => one.y - other.y)) {
      const box = { key, column, name, side: null, x: xOf(column), y: Math.max(free, y) };
      free = box.y + BOX.height + GAP.y;
      placed.set(key, box);
    }
  }
  const boxes = [...placed.values()];
  const lines = links.flatMap(([from, to]) => {
    const ends = [placed.get(from), placed.get(to)];
    return ends[0] !== undefined && ends[1] !== undefined ? [{ from: ends[0], to: ends[1] }] : [];
  });
  const height = Math.max(...boxes.map(({ y }) => y + BOX.height)) + 2;
  return { width: (columns.at(-1)?.x ?? 0) + BOX.width, height, columns, sides: items.heads, boxes, lines };
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

/** Where a box stands beside the middle of what it leads to. */
function middleOf(
  links: readonly (readonly [string, string])[],
  placed: ReadonlyMap<string, Box>,
  key: string,
): number {
  const below = links.flatMap(([from, to]) => (from === key ? [placed.get(to)?.y ?? HEAD] : []));
  return below.length === 0 ? HEAD : (Math.min(...below) + Math.max(...below)) / 2;
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
