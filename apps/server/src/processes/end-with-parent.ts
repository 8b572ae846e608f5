import cluster from 'node:cluster';

// Preloaded into API and worker: when the process that has started them is killed, nothing else tells them to stop.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Node ends a process that shares its ports at once then, and the work under way with it, unless it expects the end.
if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
// The channel alone keeps no other process alive; that one listens by it.
else process.channel?.unref();
