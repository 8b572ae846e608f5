/** A JSON object, split into its frame and the items of its lists. */
export interface SplitJson {
  /** The text with the number of the item, from 0, in the place of each item. */
  readonly frame: string;
  /** The texts of the items, by number. */
  readonly items: readonly string[];
}

/** Characters scanned between two pauses. */
const CHARACTERS_PER_SLICE = 100_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

interface Scan {
  at: number;
  depth: number;
  isInText: boolean;
  /** Whether the scan is inside a list that is a property of the outermost object. */
  isInList: boolean;
  /** The start of the text that is in neither frame nor items yet. */
  start: number;
  frame: string;
  readonly items: string[];
}

/**
 * Splits a large JSON text, so that it can be parsed piece by piece. Validates nothing: each character goes either to the
 * frame or to an item, so that the text is valid JSON if and only if the frame and all items are. Null for more than
 * `itemsMax` items.
 */
export async function splitJson(
  text: string,
  { pause, itemsMax }: { readonly pause: () => Promise<unknown>; readonly itemsMax: number },
): Promise<SplitJson | null> {
  const scan: Scan = { at: 0, depth: 0, isInText: false, isInList: false, start: 0, frame: '', items: [] };
  while (scan.at < text.length) {
    scanSome(scan, text, Math.min(text.length, scan.at + CHARACTERS_PER_SLICE));
    if (scan.items.length > itemsMax) return null;
    await pause();
  }
  return { frame: scan.frame + text.slice(scan.start), items: scan.items };
}

function scanSome(scan: Scan, text: string, end: number): void {
  for (; scan.at < end; scan.at++) {
    const code = text.charCodeAt(scan.at);
    if (scan.isInText) {
      // An escaped quote does not end the text.
      if (code === BACKSLASH) scan.at++;
      else if (code === QUOTE) scan.isInText = false;
    } else if (code === QUOTE) scan.isInText = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) open(scan, text, code);
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) close(scan, text);
    else if (code === COMMA && scan.depth === 2 && scan.isInList) endItem(scan, text);
  }
}

function open(scan: Scan, text: string, code: number): void {
  scan.depth += 1;
  if (scan.depth !== 2 || code !== OPEN_LIST) return;
  scan.isInList = true;
  scan.frame += text.slice(scan.start, scan.at + 1);
  scan.start = scan.at + 1;
}

function close(scan: Scan, text: string): void {
  if (scan.depth === 2 && scan.isInList) {
    endItem(scan, text);
    scan.isInList = false;
  }
  scan.depth -= 1;
}

/** Ends an item. The character that ends it goes to the frame; an item of white space only goes there too. */
function endItem(scan: Scan, text: string): void {
  const item = text.slice(scan.start, scan.at);
  if (item.trim() === '') scan.frame += `${item}${text[scan.at] ?? ''}`;
  else {
    scan.frame += `${scan.items.length}${text[scan.at] ?? ''}`;
    scan.items.push(item);
  }
  scan.start = scan.at + 1;
}
