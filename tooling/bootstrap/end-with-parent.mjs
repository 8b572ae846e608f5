// Preloaded into API and worker: when `npm start` is killed, nothing else tells them to stop.
if (process.channel) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel alone keeps no process alive.
  process.channel.unref();
}
