import type { Store } from '@access-admin/store';
import { afterAll, beforeAll } from 'vitest';
import { openApi, type TestApi } from './test-api.ts';

/**
 * One API for all tests of a file or group, for tests that do not depend on the state that others leave. To be
 * called beside the tests; the function that it returns is called within them.
 */
export function shareTestApi<T>(prepare: (api: TestApi) => Promise<T>, engine?: Store['engine']): () => T {
  let shared: { readonly value: T } | null = null;
  let close = async () => {};
  beforeAll(async () => {
    const opened = await openApi({}, engine);
    close = opened.close;
    shared = { value: await prepare(opened.api) };
  });
  afterAll(() => close());
  return () => {
    if (shared === null) throw new Error('The API is shared within tests only.');
    return shared.value;
  };
}
