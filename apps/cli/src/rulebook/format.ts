import { compareTexts } from '@access-admin/domain';
import { isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { parseYaml } from './parse.ts';
import { KEY_ORDER } from './schema.ts';

/**
 * The text of a valid rulebook file in its stable form: policies by id, keys and refs in a fixed order, two spaces; comments stay with
 * what follows them. Formatting a formatted text changes nothing.
 */
export function formatRulebook(text: string): string {
  const { document } = parseYaml(text);
  const file = document.contents;
  if (!isMap(file)) return text;
  orderKeys(file, KEY_ORDER.file);
  const policies = file.get('policies');
  if (isSeq(policies)) {
    sortItems(policies, (item) => (isMap(item) ? String(item.get('id')) : ''));
    for (const policy of policies.items) if (isMap(policy)) orderPolicy(policy);
    spaceItems(policies);
  }
  const tests = file.get('tests');
  if (isSeq(tests)) {
    for (const test of tests.items) if (isMap(test)) orderTest(test);
    spaceItems(tests);
  }
  for (const [index, pair] of file.items.entries()) if (isScalar(pair.key)) pair.key.spaceBefore = index > 0;
  return document.toString({ lineWidth: 120, indentSeq: true, flowCollectionPadding: false, singleQuote: false });
}

function orderPolicy(policy: YAMLMap): void {
  orderKeys(policy, KEY_ORDER.policy);
  for (const key of ['left', 'right', 'critical', 'tags']) sortTexts(policy.get(key));
  const sides = policy.get('sides');
  if (!isSeq(sides)) return;
  for (const side of sides.items) {
    if (!isMap(side)) continue;
    orderKeys(side, KEY_ORDER.side);
    sortTexts(side.get('items'));
  }
}

function orderTest(test: YAMLMap): void {
  orderKeys(test, KEY_ORDER.test);
  const given = test.get('given');
  if (isMap(given)) {
    orderKeys(given, KEY_ORDER.given);
    sortTexts(given.get('holds'));
  }
  sortTexts(test.get('request'));
  const expect = test.get('expect');
  if (!isMap(expect)) return;
  orderKeys(expect, KEY_ORDER.expect);
  for (const key of ['violates', 'existing']) sortTexts(expect.get(key));
}

function orderKeys(map: YAMLMap, order: readonly string[]): void {
  const first = map.items[0];
  const rank = ({ key }: Pair) => order.indexOf(isScalar(key) ? String(key.value) : '');
  map.items.sort((one, other) => rank(one) - rank(other));
  if (first !== map.items[0]) moveComment(map, first);
}

/** A comment above the first key belongs to the whole map: it stays at the top. */
function moveComment(map: YAMLMap, first: Pair | undefined): void {
  const now = map.items[0];
  if (!isScalar(first?.key) || !isScalar(now?.key) || !first.key.commentBefore) return;
  now.key.commentBefore = [first.key.commentBefore, now.key.commentBefore].filter((text) => text).join('\n');
  delete first.key.commentBefore;
}

function sortTexts(list: unknown): void {
  if (isSeq(list)) sortItems(list, (item) => (isScalar(item) ? String(item.value) : ''));
}

/** Sorts items in order of code units, each with the comment above it. */
function sortItems(list: YAMLSeq, keyOf: (item: unknown) => string): void {
  const [first] = list.items;
  // The parser takes a comment above the first item for one of the list.
  if (list.commentBefore && isNode(first)) {
    first.commentBefore = list.commentBefore;
    list.commentBefore = null;
  }
  list.items.sort((one, other) => compareTexts(keyOf(one), keyOf(other)));
}

/** An empty line between items. */
function spaceItems(list: YAMLSeq): void {
  list.flow = false;
  for (const [index, item] of list.items.entries()) if (isMap(item)) item.spaceBefore = index > 0;
}
