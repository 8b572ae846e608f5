// The first import of a program, because better-sqlite3 crashes an older Node with SIGSEGV and no message.
const NODE_MAJOR_MIN = 24;

if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  process.stderr.write(
    `access-admin needs Node ${NODE_MAJOR_MIN} or newer; this is Node ${process.versions.node}. Run it with node_modules/.bin/node, or use npm start.\n`,
  );
  process.exit(1);
}
