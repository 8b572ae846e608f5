/** HTML that is safe to send: texts in it are escaped. Made by `html` alone. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template may hold: texts, which are escaped, HTML, lists of both, and nothing. */
export type HtmlPart = string | number | Html | readonly HtmlPart[] | null | false;

/** A template of HTML. A text in it is escaped for elements and for attributes in double quotes. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let written = texts[0] ?? '';
  for (const [at, part] of parts.entries()) written += write(part) + (texts[at + 1] ?? '');
  return new Html(written);
}

function write(part: HtmlPart): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.toString();
  return typeof part === 'object' ? part.map(write).join('') : escapeHtml(String(part));
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPED[character] ?? '');
