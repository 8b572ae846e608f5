/** A statement in lower case and single spaces, without quotes, texts and comments. */
export const plainSql = (sql: string): string =>
  sql
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/**
 * The tables, of those with a tenant column, that a statement touches without saying of which tenant: by a condition at the
 * outermost level of the query that names them, by a join on the tenant, or among the columns that it inserts.
 */
export const findUnguarded = (sql: string, tenantTables: ReadonlySet<string>): readonly string[] =>
  queriesOf(plainSql(sql)).flatMap((query) => unguardedOf(query, tenantTables));

const BEGINS = /^\s*(select|insert|update|delete|with|values)\b/;

/** Each query without its nested queries; other parentheses become `⟨⟩`. */
function queriesOf(sql: string): readonly string[] {
  const nested: string[] = [];
  const flatten = (text: string): string => {
    let flat = '';
    for (let at = 0; at < text.length; at++) {
      if (text[at] !== '(') {
        flat += text[at];
        continue;
      }
      const end = closingOf(text, at);
      const inner = text.slice(at + 1, end);
      if (BEGINS.test(inner)) nested.push(...queriesOf(inner));
      flat += BEGINS.test(inner) ? '⟨⟩' : `⟨${flatten(inner)}⟩`;
      at = end;
    }
    return flat;
  };
  const outermost = flatten(sql).split(/\bunion all\b|\bunion\b|\bexcept\b|\bintersect\b|;/);
  return [...outermost, ...nested];
}

function closingOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}

const READ = /\b(?:from|join)[\s⟨]+([\w.]+(?:\s+(?:as\s+)?\w+)?(?:\s*,\s*[\w.]+(?:\s+(?:as\s+)?\w+)?)*)/g;
const WRITTEN = /\b(?:into|update)\s+([\w.]+)/g;
const CONDITION = /\btenant\s*=\s*(?:\+?\?|\$\d+|\+?@\w+)/g;
const SAME_TENANT = /\b(\w+)\.tenant\s*=\s*(\w+)\.tenant\b/g;

function unguardedOf(query: string, tenantTables: ReadonlySet<string>): readonly string[] {
  const tables = [...query.matchAll(READ), ...query.matchAll(WRITTEN)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().split(/\s/)[0]?.split('.').at(-1) ?? '')
    .filter((name) => tenantTables.has(name));
  // Parentheses may contain one of two alternatives.
  const conditions = withoutParentheses(query).replace(/^.*?(?=\bwhere\b|\bon\b|$)/, '');
  if (/\bor\b/.test(conditions)) return tables;
  const guards =
    count(conditions, CONDITION) +
    [...conditions.matchAll(SAME_TENANT)].filter(([, left, right]) => left !== right).length +
    count(query, /\busing ⟨[^⟩]*\btenant\b/g) +
    count(query, /\binto \w+ ?⟨[^⟩]*\btenant\b/g);
  return guards >= tables.length ? [] : tables;
}

function withoutParentheses(text: string): string {
  const less = text.replaceAll(/⟨[^⟨⟩]*⟩/g, '');
  return less === text ? text : withoutParentheses(less);
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
