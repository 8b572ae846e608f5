import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../machine/free-port.ts';
import { openFolder } from '../machine/open-folder.ts';
import { startProcess } from '../processes/start.ts';
import { becomesOpen } from './becomes-open.ts';
import { makeCertificate, OPENSSL } from './make-certificate.ts';

const NGINX = '/usr/sbin/nginx';

const missing = Object.entries({ nginx: NGINX, openssl: OPENSSL }).filter(([, path]) => !existsSync(path));

/** Why this machine can start no nginx; null where it can. */
export const whyNoNginx: string | null =
  missing.length === 0 ? null : `this machine lacks ${missing.map(([name]) => name).join(' and ')} of Debian`;

/** An nginx on the loopback addresses. */
export interface RunningNginx extends AsyncDisposable {
  readonly port: number;
  /** The path of its certificate, which is its own authority. */
  readonly certificate: string;
}

// One process, of the user that runs the test: workers would be of another one, who may not read the folder.
const configOf = (server: string) => `
daemon off;
master_process off;
pid pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  ${server}
}
`;

/** Starts nginx with a server that listens on 443, with `cert.pem` and `key.pem` for a host; here it listens on a free port. */
export async function startNginx(host: string, server: string): Promise<RunningNginx> {
  const folder = openFolder('nginx');
  const certificate = join(folder.path, 'cert.pem');
  makeCertificate(`DNS:${host}`, { certificate, key: join(folder.path, 'key.pem') });
  const port = await freePort();
  const config = join(folder.path, 'nginx.conf');
  writeFileSync(config, configOf(server.replace('listen 443 ', `listen 127.0.0.1:${port} `)));
  const running = startProcess([NGINX, '-p', folder.path, '-c', config, '-e', 'stderr'], { env: {}, cwd: folder.path });
  await becomesOpen(port, running);
  return {
    port,
    certificate,
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
