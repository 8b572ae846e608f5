/*
 * A logo is shown to everyone who signs in, so an SVG may hold nothing but a picture: no scripts, no handlers, no other documents,
 * nothing that is loaded from elsewhere. What is no plain XML is refused, so that a browser reads no more than this does.
 */

interface Tag {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly isEmpty: boolean;
}

const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const DECLARATION =
  /^\uFEFF?<\?xml\s+version\s*=\s*["']1\.[01]["'](?:\s+encoding\s*=\s*["']utf-8["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/i;
const PIECES = new RegExp(
  `(?<comment><!--(?:(?!--)[^])*-->)|(?<data><!\\[CDATA\\[[^]*?\\]\\]>)|(?<end></${NAME}\\s*>)|<(?<name>${NAME})(?<attributes>(?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(?<empty>/?)>|(?<text>[^<]+)`,
  'y',
);
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g');

const MALFORMED =
  'must be well-formed XML in UTF-8 with <svg> as its only root, without a document type or entities of its own';

/** Elements that run something or hold another document, whatever their prefix. */
const REFUSED_ELEMENTS = new Set([
  'script',
  'handler',
  'listener',
  'foreignobject',
  'iframe',
  'object',
  'embed',
  'audio',
  'video',
  'canvas',
  'link',
  'meta',
  'base',
  'form',
]);
const REFERENCES = new Set(['href', 'src', 'data', 'action', 'formaction', 'base']);
const XHTML = 'http://www.w3.org/1999/xhtml';
/** A place in the picture itself, or pixels in it. */
const INSIDE = /^\s*(?:#|data:image\/(?:png|jpeg|gif|webp);base64,)/i;

/** Why an SVG is no logo; null for one that is a picture alone. */
export function svgIssueText(svg: string): string | null {
  const open: string[] = [];
  let roots = 0;
  let style: string | null = null;
  PIECES.lastIndex = DECLARATION.exec(svg)?.[0].length ?? 0;
  while (PIECES.lastIndex < svg.length) {
    const { comment, data, end, name, attributes = '', empty, text } = PIECES.exec(svg)?.groups ?? {};
    if (comment !== undefined) continue;
    if (name !== undefined) {
      const tag = readTag(name, attributes, empty === '/');
      const issue = tag === null ? MALFORMED : tagIssue(tag);
      if (tag === null || issue !== null) return issue;
      if (open.length === 0 && (localName(name) !== 'svg' || roots++ > 0)) return MALFORMED;
      if (!tag.isEmpty) open.push(name);
      if (localName(name) === 'style') style = '';
    } else if (end !== undefined) {
      const ended = end.slice(2, -1).trim();
      if (open.pop() !== ended) return MALFORMED;
      if (style !== null && localName(ended) === 'style') {
        const issue = cssIssue(style);
        if (issue !== null) return issue;
        style = null;
      }
    } else {
      const given = data === undefined ? decode(text ?? '') : data.slice('<![CDATA['.length, -']]>'.length);
      // Nothing fits where the piece of no kind is found.
      if (given === null || (text === undefined && data === undefined)) return MALFORMED;
      if (open.length === 0 && given.trim() !== '') return MALFORMED;
      if (style !== null) style += given;
    }
  }
  return open.length === 0 && roots === 1 ? null : MALFORMED;
}

function readTag(name: string, text: string, isEmpty: boolean): Tag | null {
  const attributes: [string, string][] = [];
  for (const [, attribute = '', double, single] of text.matchAll(ATTRIBUTE)) {
    const value = decode(double ?? single ?? '');
    if (value === null || attributes.some(([other]) => other === attribute)) return null;
    attributes.push([attribute, value]);
  }
  return { name, attributes, isEmpty };
}

function tagIssue({ name, attributes }: Tag): string | null {
  if (REFUSED_ELEMENTS.has(localName(name))) return `must not have the element <${name}>`;
  for (const [attribute, value] of attributes) {
    const issue = attributeIssue(attribute, value);
    if (issue !== null) return issue;
  }
  return null;
}

function attributeIssue(name: string, value: string): string | null {
  const local = localName(name);
  if (name === 'xmlns' || name.startsWith('xmlns:'))
    return value.trim() === XHTML ? 'must not hold parts of web pages' : null;
  if (local.startsWith('on')) return `must not have the handler ${name}`;
  if (REFERENCES.has(local) && !INSIDE.test(value)) return outside(name);
  if (local === 'attributename' && /^(?:on|(?:.*:)?(?:href|src)$)/i.test(value.trim()))
    return `must not animate ${value.trim()}`;
  return cssIssue(value) === null ? null : outside(name);
}

const outside = (name: string): string =>
  `must not refer to anything outside of itself in ${name}: only #names and pictures as data:image/png, jpeg, gif or webp`;

/** A value that is a style, or holds the function with which styles refer to something. */
function cssIssue(css: string): string | null {
  // An escape can hide a name from this search.
  const hasOther =
    /@import|image-set\s*\(|\b(?:image|src)\s*\(/i.test(css) || (css.includes('\\') && /[({@]/.test(css));
  const targets = [...css.matchAll(/url\s*\(\s*["']?([^)]*)/gi)].map(([, target = '']) => target);
  return hasOther || !targets.every((target) => INSIDE.test(target)) ? outside('styles') : null;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text with its references resolved; null where one is not of XML itself. */
function decode(text: string): string | null {
  let isKnown = true;
  const decoded = text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));?/gi, (all, hex, decimal, name) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const found = name === undefined ? characterOf(code) : Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
    if (found === undefined || !all.endsWith(';')) isKnown = false;
    return found ?? '';
  });
  return isKnown && !/&(?!amp;|lt;|gt;|quot;|apos;|#)/.test(text) ? decoded : null;
}

const characterOf = (code: number): string | undefined =>
  code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
