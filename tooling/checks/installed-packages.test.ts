import { expect, test } from 'vitest';
import { FILES, read } from './repository.ts';

// Until the first release no registry has them: a stranger could take the names.
const FROM_REGISTRY =
  /npx (?:--yes |-y )?(?:-p |--package[= ])?@access-admin\/|npm (?:install|i) [^\n`]*(?<![\w./-])@access-admin\/|unpkg\.com\/@access-admin|uses: [\w-]+\/access-admin\//;

test('no page, script, template or workflow installs a package of ours from a registry', () => {
  const found = FILES.filter((file) => FROM_REGISTRY.test(read(file)));
  expect(found).toEqual([]);
});
