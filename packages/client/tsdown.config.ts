import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/index.ts',
  tsconfig: 'tsconfig.build.json',
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  // Made without a type checker: `isolatedDeclarations` sees to it that every export states its type.
  dts: { oxc: true },
  // Who installs the package has none of ours: types are taken in, and nothing may be imported.
  deps: { alwaysBundle: /^@access-admin\//, onlyImport: [] },
});
