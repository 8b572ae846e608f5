import { hash } from 'node:crypto';

/** A constant part of pages. */
export interface Asset {
  /** Has a digest of the content, so that it is cached for ever. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string;
}

const DIGEST_LENGTH = 16;

/** An asset of this name, such as `pages.css`. */
export function createAsset(name: string, contentType: string, content: string): Asset {
  const digest = hash('sha256', content).slice(0, DIGEST_LENGTH);
  return {
    path: `/assets/${name.replace('.', `.${digest}.`)}`,
    headers: {
      'content-type': `${contentType}; charset=utf-8`,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    },
    content,
  };
}
