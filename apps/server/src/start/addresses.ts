import { createServer } from 'node:net';

/** Where the API listens, as seen from this machine, and how its public base address reads. */
export interface Addresses {
  readonly host: string;
  readonly port: number;
  /** The host to connect to. */
  readonly reachable: string;
  /** Host and port to connect to, as in an address. */
  readonly local: string;
  /** The public base address, without a slash at its end. */
  readonly base: string;
  /** Its host and port. */
  readonly publicHost: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Reads the addresses from the environment. What is invalid is refused elsewhere. */
export function readAddresses(env: Env, tenant: string): Addresses {
  const host = env['HOST'] || '127.0.0.1';
  const port = Number(env['PORT'] || '8080');
  const reachable = EVERYWHERE[host] ?? host;
  const local = `${inUrl(reachable)}:${port}`;
  const given = env['BASE_ADDRESS'] ?? '';
  const base = (given || `http://${inUrl(host)}:${port}`).replaceAll('{tenant}', tenant).replace(/\/+$/, '');
  return { host, port, reachable, local, base, publicHost: given === '' ? local : (URL.parse(base)?.host ?? '') };
}

const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether a process listens there already. */
export function isTaken({ host, port }: Pick<Addresses, 'host' | 'port'>): Promise<boolean> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return Promise.resolve(false);
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(Object(error).code === 'EADDRINUSE'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(false)));
  });
}

const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);
