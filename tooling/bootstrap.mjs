// Behind `npm start`, `npm test` and `npm run setup`, `check`, `docs`, `bench`, `proof`, `pictures` and `examples`. Needs only Node ≥ 18 with npm.
const [major] = process.versions.node.split('.').map(Number);
if (major < 18) {
  console.error(`access-admin needs Node 18 or newer to set itself up; this is Node ${process.versions.node}.`);
  process.exit(1);
}

const programs = () => import('./bootstrap/run-program.mjs');
const commands = {
  setup: async (stop) => {
    const { prepare } = await import('./bootstrap/prepare.mjs');
    if ((await prepare(stop)) === null) return 1;
    console.log('access-admin: installed and built');
    return 0;
  },
  start: async (stop, args) => (await programs()).start(stop, args),
  check: async (stop) => (await import('./bootstrap/check.mjs')).check(stop),
  test: async (stop, args) => (await import('./bootstrap/test.mjs')).test(stop, args),
  docs: async (stop, args) => (await programs()).docs(stop, args),
  bench: async (stop, args) => (await import('./bootstrap/bench.mjs')).bench(stop, args),
  proof: async (stop, args) => (await programs()).proof(stop, args),
  pictures: async (stop) => (await programs()).pictures(stop),
  examples: async (stop) => (await programs()).examples(stop),
};

const { watchForStop } = await import('./bootstrap/watch-for-stop.mjs');

const run = commands[process.argv[2]];
if (run === undefined) {
  console.error(`usage: node tooling/bootstrap.mjs ${Object.keys(commands).join('|')}`);
  process.exit(1);
}
const stop = watchForStop();
const code = await run(stop, process.argv.slice(3));
process.exit(stop.aborted && code !== 0 ? stop.reason.exitCode : code);
