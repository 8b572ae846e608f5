import { defineConfig, type UserConfig } from 'tsdown';

const bundle: UserConfig = {
  tsconfig: 'tsconfig.build.json',
  format: 'esm',
  target: 'es2022',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  // The other packages are not published: their types are bundled, and the output imports nothing.
  deps: { alwaysBundle: /^@access-admin\//, onlyImport: [] },
};

export default defineConfig([
  {
    ...bundle,
    entry: 'src/index.ts',
    platform: 'neutral',
    // Generated without a type checker: `isolatedDeclarations` makes every export state its type.
    dts: { oxc: true },
  },
  { ...bundle, entry: 'bin/sod-receipt-verify.ts', platform: 'node', dts: false, clean: false },
]);
