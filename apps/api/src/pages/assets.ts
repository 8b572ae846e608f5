import { hash } from 'node:crypto';
import type { HttpResponse } from '../http/exchange.ts';

/** A constant part of pages. Its path has a digest of its content, so that it is cached for ever. */
export interface Asset {
  readonly path: string;
  readonly response: () => HttpResponse;
}

const DIGEST_LENGTH = 16;

/** An asset of this name, such as `pages.css`. */
export function createAsset(name: string, contentType: string, content: string): Asset {
  const digest = hash('sha256', content).slice(0, DIGEST_LENGTH);
  const headers = {
    'content-type': `${contentType}; charset=utf-8`,
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
  };
  return {
    path: `/assets/${name.replace('.', `.${digest}.`)}`,
    response: () => ({ status: 200, headers: { ...headers }, body: content }),
  };
}
