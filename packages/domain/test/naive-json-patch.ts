/**
 * RFC 6902 read aloud, slow and plain: the oracle of the differential test. Each step builds a new document, and
 * nothing is shared with the engine under test.
 */
export type Tree =
  | { readonly kind: 'leaf'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Tree> };

export type Outcome = { readonly tree: Tree } | { readonly error: 'IllegalValue' | 'Conflict' | 'LimitExceeded' };

export interface RawOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from: string;
  readonly value: unknown;
}

class Refused extends Error {
  readonly kind: 'IllegalValue' | 'Conflict' | 'LimitExceeded';

  constructor(kind: Refused['kind']) {
    super(kind);
    this.kind = kind;
  }
}

export function toTree(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(toTree) };
  if (typeof value !== 'object' || value === null) return { kind: 'leaf', text: leafText(value) };
  return { kind: 'object', members: new Map(Object.entries(value).map(([name, member]) => [name, toTree(member)])) };
}

const leafText = (value: unknown) => (Object.is(value, -0) ? '0' : JSON.stringify(value));

/** The same text for equal documents: members are sorted. */
export function textOf(tree: Tree): string {
  if (tree.kind === 'leaf') return tree.text;
  if (tree.kind === 'list') return `[${tree.items.map(textOf).join()}]`;
  const members = [...tree.members].map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${members.toSorted().join()}}`;
}

/** Every pointer to an existing value. */
export function pointersOf(tree: Tree, base = ''): readonly string[] {
  const children: (readonly [string, Tree])[] =
    tree.kind === 'list'
      ? tree.items.map((item, index) => [`${index}`, item])
      : tree.kind === 'object'
        ? [...tree.members]
        : [];
  const escaped = (name: string) => name.split('~').join('~0').split('/').join('~1');
  return [base, ...children.flatMap(([name, child]) => pointersOf(child, `${base}/${escaped(name)}`))];
}

export function naivePatch(document: Tree, operations: readonly RawOperation[], copiedMax: number): Outcome {
  let tree = document;
  let copied = 0;
  try {
    for (const operation of operations) {
      if (operation.op === 'copy') {
        copied += pointersOf(get(tree, tokensOf(operation.from))).length;
        if (copied > copiedMax) return { error: 'LimitExceeded' };
      }
      tree = step(tree, operation);
    }
  } catch (error) {
    if (error instanceof Refused) return { error: error.kind };
    throw error;
  }
  return depthOf(tree) > 32 ? { error: 'LimitExceeded' } : { tree };
}

function step(tree: Tree, { op, path, from, value }: RawOperation): Tree {
  const to = tokensOf(path);
  switch (op) {
    case 'add':
      return put(tree, to, toTree(value), true);
    case 'replace':
      get(tree, to);
      return put(tree, to, toTree(value), false);
    case 'remove':
      return drop(tree, to);
    case 'copy':
      return put(tree, to, get(tree, tokensOf(from)), true);
    case 'move': {
      const moved = get(tree, tokensOf(from));
      if (path === from) return tree;
      if (path.startsWith(`${from}/`)) throw new Refused('IllegalValue');
      return put(drop(tree, tokensOf(from)), to, moved, true);
    }
    case 'test':
      if (textOf(get(tree, to)) !== textOf(toTree(value))) throw new Refused('Conflict');
      return tree;
  }
}

const tokensOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.split('~1').join('/').split('~0').join('~'));

/** The index of a token in a list of this length. */
const indexOf = (token: string, length: number) => {
  const index = Array.from({ length }, (_, position) => String(position)).indexOf(token);
  if (index === -1) throw new Refused('IllegalValue');
  return index;
};

function get(tree: Tree, [token, ...rest]: readonly string[]): Tree {
  if (token === undefined) return tree;
  const child = tree.kind === 'list' ? tree.items[indexOf(token, tree.items.length)] : membersOf(tree).get(token);
  if (child === undefined) throw new Refused('IllegalValue');
  return get(child, rest);
}

function put(tree: Tree, [token, ...rest]: readonly string[], value: Tree, isAddition: boolean): Tree {
  if (token === undefined) return value;
  if (rest.length > 0) return within(tree, token, (child) => put(child, rest, value, isAddition));
  if (tree.kind !== 'list') return { kind: 'object', members: new Map([...membersOf(tree), [token, value]]) };
  if (!isAddition) return { kind: 'list', items: tree.items.with(indexOf(token, tree.items.length), value) };
  const index = token === '-' ? tree.items.length : indexOf(token, tree.items.length + 1);
  return { kind: 'list', items: tree.items.toSpliced(index, 0, value) };
}

function drop(tree: Tree, [token, ...rest]: readonly string[]): Tree {
  if (token === undefined) throw new Refused('IllegalValue');
  get(tree, [token]);
  if (rest.length > 0) return within(tree, token, (child) => drop(child, rest));
  if (tree.kind === 'list') return { kind: 'list', items: tree.items.toSpliced(Number(token), 1) };
  return { kind: 'object', members: new Map([...membersOf(tree)].filter(([name]) => name !== token)) };
}

function within(tree: Tree, token: string, change: (child: Tree) => Tree): Tree {
  const changed = change(get(tree, [token]));
  if (tree.kind === 'list') return { kind: 'list', items: tree.items.with(Number(token), changed) };
  return { kind: 'object', members: new Map([...membersOf(tree), [token, changed]]) };
}

function membersOf(tree: Tree): ReadonlyMap<string, Tree> {
  if (tree.kind !== 'object') throw new Refused('IllegalValue');
  return tree.members;
}

function depthOf(tree: Tree): number {
  if (tree.kind === 'leaf') return 0;
  return 1 + Math.max(0, ...(tree.kind === 'list' ? tree.items : [...tree.members.values()]).map(depthOf));
}
