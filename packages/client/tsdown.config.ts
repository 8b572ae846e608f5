import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/index.ts',
  tsconfig: 'tsconfig.build.json',
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  // Generated without a type checker: `isolatedDeclarations` makes every export state its type.
  dts: { oxc: true },
  // The other packages are not published: their types are bundled, and the output imports nothing.
  deps: { alwaysBundle: /^@access-admin\//, onlyImport: [] },
});
