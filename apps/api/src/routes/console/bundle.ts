import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { RequestContext } from '../../http/env.ts';
import type { HttpResponse } from '../../http/exchange.ts';

/** A file of the console, whose name has a digest of its content. */
export interface BundleFile {
  readonly contentType: string;
  readonly content: Uint8Array;
  /** The same, compressed by the build; null where that is no smaller. */
  readonly brotli: Uint8Array | null;
}

/** The built console. */
export interface Bundle {
  /** The document of all its pages. */
  readonly document: string;
  readonly files: ReadonlyMap<string, BundleFile>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads the built console from its folder; null where it is not built. Files of other types are not served. */
export function readBundle(folder: string): Bundle | null {
  const document = readIfPresent(join(folder, 'index.html'));
  if (document === null) return null;
  const assets = join(folder, 'assets');
  const files = readdirSync(assets).flatMap((name) => {
    const contentType = CONTENT_TYPES[extname(name)];
    if (contentType === undefined) return [];
    const [content, brotli] = [readFileSync(join(assets, name)), readIfPresent(join(assets, `${name}.br`))];
    return [[name, { contentType, content, brotli }] as const];
  });
  return { document: document.toString('utf8'), files: new Map(files) };
}

/** The response with a file, compressed where the caller takes that. */
export function bundleResponse(file: BundleFile, c: RequestContext): HttpResponse {
  const brotli = takesBrotli(c.req.header('accept-encoding') ?? '') ? file.brotli : null;
  return {
    status: 200,
    headers: {
      'content-type': file.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
      ...(brotli === null ? {} : { 'content-encoding': 'br' }),
    },
    body: brotli ?? file.content,
  };
}

const takesBrotli = (header: string): boolean =>
  header.split(',').some((coding) => /^\s*br\s*(;\s*q=(1|0?\.\d*[1-9]\d*))?\s*$/i.test(coding));

function readIfPresent(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
