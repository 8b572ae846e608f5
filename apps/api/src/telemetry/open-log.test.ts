import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const OPTIONS = ['--conditions=@access-admin/source', '--input-type=module', '--eval'];

/** The output of a process that has opened the log as `log`. */
function outputOf(program: string, level = 'info'): string {
  const module = fileURLToPath(new URL('open-log.ts', import.meta.url));
  const opening = `
    import { openStdout } from '@access-admin/telemetry';
    import { openLog } from ${JSON.stringify(module)};
    const log = openLog('${level}', openStdout({ onRecovery() {}, now: Date.now }));`;
  return execFileSync(process.execPath, [...OPTIONS, `${opening}${program}`], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  });
}

const REQUEST = `log.request({
  state: {
    trackingId: 'abc',
    requestId: null,
    operationId: 'get-auth-user-v1',
    caller: { tenant: 't', clientId: 'c"1', identityId: 'i', scopes: new Set(), capabilities: [] },
    refusal: null,
  },
  method: 'GET',
  status: 200,
  durationMs: 12.0304,
});`;

test('the last lines before the end of the process are written, in their order', () => {
  const output = outputOf(
    `log.info({}, 'first'); ${REQUEST} log.error({ err: new Error('x') }, 'last'); process.exit(0);`,
  );
  expect(output.split('\n').map((line) => (line === '' ? '' : JSON.parse(line).msg))).toEqual([
    'first',
    'request',
    'last',
    '',
  ]);
});

test('the line of a request has the form of any other line', () => {
  const { time, ...line } = JSON.parse(outputOf(REQUEST));
  expect(line).toEqual({
    level: 30,
    process: 'api',
    trackingId: 'abc',
    method: 'GET',
    operation: 'get-auth-user-v1',
    status: 200,
    durationMs: 12.03,
    tenant: 't',
    clientId: 'c"1',
    identityId: 'i',
    msg: 'request',
  });
  expect(time).toBe(new Date(time).toISOString());
  const anonymous = REQUEST.replace(/caller: \{.*\},/, 'caller: null,').replace("'get-auth-user-v1'", 'null');
  expect(JSON.parse(outputOf(anonymous))).toMatchObject({ operation: null, status: 200 });
});

test('the line of a request of AuthZEN has the id that the caller gave', () => {
  const given = REQUEST.replace('requestId: null', `requestId: 'a"b'`);
  expect(JSON.parse(outputOf(given))).toMatchObject({ trackingId: 'abc', requestId: 'a"b', method: 'GET' });
});

test('the line of a refusal has its code, and the reason where there is one', () => {
  const refused = (refusal: object) => REQUEST.replace('refusal: null', `refusal: ${JSON.stringify(refusal)}`);
  const reason = 'said "so"';
  expect(JSON.parse(outputOf(refused({ detailCode: '401', reason })))).toMatchObject({ detailCode: '401', reason });
  const line = JSON.parse(outputOf(refused({ detailCode: '404', reason: null })));
  expect([line.detailCode, 'reason' in line, line.msg]).toEqual(['404', false, 'request']);
});

test('other lines have the process and the time too', () => {
  const { time, ...line } = JSON.parse(outputOf(`log.info({ engine: 'sqlite' }, 'listening')`));
  expect(line).toEqual({ level: 30, process: 'api', engine: 'sqlite', msg: 'listening' });
  expect(time).toBe(new Date(time).toISOString());
});

test('requests are logged at the level info and below', () => {
  expect(outputOf(REQUEST, 'warn')).toBe('');
});

test('an error is logged with its type and place, without the data in it', () => {
  const error = "Object.assign(new Error('not \"canary\"'), { code: '23505', detail: 'Key (id)=(canary)' })";
  const line = outputOf(`log.error({ trackingId: 'abc', err: ${error} }, 'bug');`, 'trace');
  expect(JSON.parse(line)).toMatchObject({ msg: 'bug', trackingId: 'abc', err: { message: 'not …', code: '23505' } });
  expect(line).not.toContain('canary');
});
