import { defineConfig, type UserConfig } from 'tsdown';

const bundle: UserConfig = {
  target: 'es2024',
  fixedExtension: false,
  dts: false,
  sourcemap: true,
  deps: {
    // One file: to find and read hundreds of modules takes longer than all the rest of a start.
    alwaysBundle: /./,
    onlyBundle: false,
    // Machine code, and files that are served as they are.
    neverBundle: ['better-sqlite3', 'piscina', 'swagger-ui-dist'],
    onlyImport: ['better-sqlite3', 'piscina'],
  },
};

// Each on its own, so that each is one file.
export default defineConfig([
  { ...bundle, entry: 'src/main.ts' },
  { ...bundle, entry: { 'password-worker': 'src/credentials/password-worker.ts' }, clean: false },
  { ...bundle, entry: { 'audit-verify': 'src/audit/verify-command.ts' }, clean: false },
  { ...bundle, entry: { 'access-admin-keys': 'src/auth/keys-command/main.ts' }, clean: false },
]);
