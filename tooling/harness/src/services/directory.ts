import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../machine/free-port.ts';
import { openFolder } from '../machine/open-folder.ts';
import { startProcess } from '../processes/start.ts';
import { becomesOpen } from './becomes-open.ts';
import { makeCertificate, OPENSSL } from './make-certificate.ts';

const SLAPD = '/usr/sbin/slapd';

/** What a directory needs on this machine, by the package of Debian that has it. */
const FILES = { slapd: [SLAPD, '/usr/lib/ldap/back_mdb.so', '/etc/ldap/schema'], openssl: [OPENSSL] };
const missing = Object.entries(FILES).filter(([, files]) => !files.every((file) => existsSync(file)));

/** Why this machine can start no directory; null where it can. */
export const whyNoDirectory: string | null =
  missing.length === 0 ? null : `this machine lacks ${missing.map(([name]) => name).join(' and ')} of Debian`;

/** The place of usernames in the names of the people. */
export const DIRECTORY_BIND_DN = 'uid={username},ou=people,dc=example,dc=org';

/** A directory of people, by plain LDAP and by LDAP over TLS. */
export interface RunningDirectory extends AsyncDisposable {
  readonly plain: string;
  readonly secure: string;
  readonly securePort: number;
  /** The certificate of its authority. */
  readonly authorities: string;
}

const unit = (name: string) => `dn: ou=${name},dc=example,dc=org\nobjectClass: organizationalUnit\nou: ${name}\n`;

const person = (rdn: string, uid: string, password: string) => `dn: ${rdn},dc=example,dc=org
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid}
sn: ${uid}
userPassword: ${password}
`;

const ENTRIES = [
  'dn: dc=example,dc=org\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example\n',
  unit('people'),
  person('uid=ada,ou=people', 'ada', 'ada of the directory'),
  person('uid=bob,ou=people', 'bob', 'bob of the directory'),
  person('uid=a\\2cb\\3dc\\2bd,ou=people', 'a,b=c+d', 'odd of the directory'),
  // The entry that an unescaped `root,ou=admins` would reach.
  'dn: ou=admins,ou=people,dc=example,dc=org\nobjectClass: organizationalUnit\nou: admins\n',
  person('uid=root,ou=admins,ou=people', 'root', 'root of the directory'),
].join('\n');

const configOf = (folder: string) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/pid
TLSCertificateFile ${folder}/certificate.pem
TLSCertificateKeyFile ${folder}/key.pem
# A bind with a name and no password succeeds, as some directories allow by default.
allow bind_anon_dn
database mdb
suffix "dc=example,dc=org"
directory ${folder}/data
`;

/** Starts a directory with the people ada and bob, whose passwords are `ada of the directory` and `bob of the directory`. */
export async function startDirectory(): Promise<RunningDirectory> {
  const folder = openFolder('slapd');
  const config = join(folder.path, 'slapd.conf');
  const ldif = join(folder.path, 'people.ldif');
  mkdirSync(join(folder.path, 'data'));
  makeCertificate('IP:127.0.0.1', {
    certificate: join(folder.path, 'certificate.pem'),
    key: join(folder.path, 'key.pem'),
  });
  writeFileSync(config, configOf(folder.path));
  writeFileSync(ldif, ENTRIES);
  execFileSync(SLAPD, ['-T', 'add', '-f', config, '-l', ldif], { stdio: 'pipe' });
  const plain = await freePort();
  const secure = await freePort();
  const urls = `ldap://127.0.0.1:${plain}/ ldaps://127.0.0.1:${secure}/`;
  const running = startProcess([SLAPD, '-f', config, '-h', urls, '-d', '0'], { env: {}, cwd: folder.path });
  await becomesOpen(secure, running);
  return {
    plain: `ldap://127.0.0.1:${plain}`,
    secure: `ldaps://127.0.0.1:${secure}`,
    securePort: secure,
    authorities: readFileSync(join(folder.path, 'certificate.pem'), 'utf8'),
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
