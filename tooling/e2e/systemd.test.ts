import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder, ROOT } from '@access-admin/harness';
import { expect, test } from 'vitest';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
/** Of 0 to 100, as systemd rates what a service may do; without any hardening a service has 96. */
const EXPOSURE_MAX = 15;

test.for(['api', 'worker'])('systemd accepts the unit of the %s, and finds it well confined', (app, context) => {
  if (!hasSystemd) return context.skip('this machine has no systemd-analyze on its PATH');
  using folder = openFolder('systemd');
  const unit = join(folder.path, `access-admin-${app}@8080.service`);
  const text = readFileSync(join(ROOT, 'deploy/systemd', `access-admin-${app}@.service`), 'utf8');
  // It wants a program that exists.
  writeFileSync(unit, text.replace('/usr/bin/node', process.execPath));
  expect(analyze('verify', '--man=no', unit)).toMatchObject({ status: 0, stderr: '' });
  expect(analyze('security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, unit)).toMatchObject({ status: 0 });
});

const analyze = (...args: readonly string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
