// Behind `npm start`, `npm test` and `npm run setup`, `check`, `docs`, `bench`, `proof` and `pictures`. Needs only Node ≥ 18 with npm.
const [major] = process.versions.node.split('.').map(Number);
if (major < 18) {
  console.error(`access-admin needs Node 18 or newer to set itself up; this is Node ${process.versions.node}.`);
  process.exit(1);
}

const commands = {
  setup: async (stop) => ((await prepare(stop)) === null ? 1 : 0),
  start: async (stop) => (await import('./bootstrap/start.mjs')).start(stop),
  check: async (stop) => (await import('./bootstrap/check.mjs')).check(stop),
  test: async (stop) => (await import('./bootstrap/test.mjs')).test(stop, process.argv.slice(3)),
  docs: async (stop) => (await import('./bootstrap/docs.mjs')).docs(stop, process.argv.slice(3)),
  bench: async (stop) => (await import('./bootstrap/bench.mjs')).bench(stop, process.argv.slice(3)),
  proof: async (stop) => (await import('./bootstrap/proof.mjs')).proof(stop, process.argv.slice(3)),
  pictures: async (stop) => (await import('./bootstrap/pictures.mjs')).pictures(stop),
};

const { prepare } = await import('./bootstrap/prepare.mjs');
const { watchForStop } = await import('./bootstrap/watch-for-stop.mjs');

const run = commands[process.argv[2]];
if (run === undefined) {
  console.error(`usage: node tooling/bootstrap.mjs ${Object.keys(commands).join('|')}`);
  process.exit(1);
}
const stop = watchForStop();
const code = await run(stop);
process.exit(stop.aborted && code !== 0 ? stop.reason.exitCode : code);
