// One file a suite: `main.ts <suite> [arguments]`.
const suites: Readonly<Record<string, () => Promise<{ run(args: readonly string[]): Promise<void> | void }>>> = {
  predict: () => import('./predict.ts'),
  http: () => import('./http.ts'),
  check: () => import('./check.ts'),
  memory: () => import('./memory.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = suites[name];
if (load === undefined) {
  process.stderr.write(`Usage: main.ts <suite> [arguments]; suites: ${Object.keys(suites).join(', ')}\n`);
  process.exitCode = 2;
} else {
  const suite = await load();
  await suite.run(args);
}
