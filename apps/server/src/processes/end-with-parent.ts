// Preloaded into API and worker: when the process that has started them is killed, nothing else tells them to stop.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel alone keeps no process alive.
process.channel?.unref();
