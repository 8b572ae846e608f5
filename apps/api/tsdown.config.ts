import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type UserConfig } from 'tsdown';

const fileOf = (specifier: string) => fileURLToPath(import.meta.resolve(specifier));

/** Files that are served as they are. */
const ASSETS = [
  {
    from: `${dirname(fileOf('swagger-ui-dist/package.json'))}/{swagger-ui.css,swagger-ui-bundle.js}`,
    to: 'dist/swagger-ui',
  },
  { from: fileOf('@access-admin/look'), to: 'dist' },
];

const bundle: UserConfig = {
  target: 'es2024',
  fixedExtension: false,
  dts: false,
  sourcemap: true,
  deps: {
    // One file: to find and read hundreds of modules takes longer than all the rest of a start.
    alwaysBundle: /./,
    onlyBundle: false,
    // Machine code, and what starts threads from files of its own.
    neverBundle: ['better-sqlite3', 'piscina'],
    onlyImport: ['better-sqlite3', 'piscina'],
  },
};

// Each on its own, so that each is one file.
export default defineConfig([
  { ...bundle, entry: 'src/main.ts', copy: ASSETS },
  { ...bundle, entry: { 'password-worker': 'src/sign-in/factors/password-worker.ts' }, clean: false },
  { ...bundle, entry: { 'audit-verify': 'src/audit/verify-command.ts' }, clean: false },
]);
