import { request } from 'node:http';
import { createServer } from 'node:net';

/** Where the API listens, as seen from this machine, and how its public base address reads. */
export function readAddresses(env, tenant) {
  const host = env.HOST || '127.0.0.1';
  const port = Number(env.PORT || '8080');
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const local = `${inUrl(reachable)}:${port}`;
  const base = (env.BASE_ADDRESS || `http://${inUrl(host)}:${port}`).replaceAll('{tenant}', tenant).replace(/\/+$/, '');
  return { host, port, reachable, local, base, publicHost: env.BASE_ADDRESS ? hostOf(base) : local };
}

/** Whether a process listens there already. The API reports an invalid address itself. */
export function isTaken({ host, port }) {
  return new Promise((resolve) => {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return resolve(false);
    const server = createServer();
    server.once('error', (error) => resolve(error.code === 'EADDRINUSE'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(false)));
  });
}

/** Sends one request to the local API under its public name. With `firstLineOnly` the rest of the answer is not read. */
export function send(addresses, { method, path, headers = {}, body = '', firstLineOnly = false }) {
  return new Promise((resolve, reject) => {
    const { reachable, port, publicHost } = addresses;
    const length = Buffer.byteLength(body);
    const all = { host: publicHost, ...headers, ...(length > 0 ? { 'content-length': length } : {}) };
    const outgoing = request({ host: reachable, port, method, path, headers: all, agent: false }, (answer) => {
      const chunks = [];
      const finish = () => resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString('utf8') });
      answer.on('data', (chunk) => {
        chunks.push(chunk);
        if (!firstLineOnly || !chunk.includes(10)) return;
        finish();
        outgoing.destroy();
      });
      answer.on('end', finish);
      answer.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function hostOf(address) {
  try {
    return new URL(address).host;
  } catch {
    return '';
  }
}

const inUrl = (host) => (host.includes(':') ? `[${host}]` : host);
