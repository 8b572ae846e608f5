import { execFileSync } from 'node:child_process';

export const OPENSSL = '/usr/bin/openssl';

/** Writes a self-signed certificate for one name, such as `DNS:access.example.com` or `IP:127.0.0.1`, and its key. */
export function makeCertificate(name: string, paths: { readonly certificate: string; readonly key: string }): void {
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${name}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', paths.key];
  execFileSync(OPENSSL, ['req', '-x509', ...key, '-out', paths.certificate, ...subject], { stdio: 'pipe' });
}
