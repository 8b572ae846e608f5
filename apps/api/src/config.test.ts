import { describe, expect, test } from 'vitest';
import { parseConfig } from './config.ts';

describe('parseConfig', () => {
  test('has defaults for everything', () => {
    expect(parseConfig({})).toEqual({
      ok: true,
      value: {
        host: '127.0.0.1',
        port: 8080,
        databaseUrl: 'sqlite:var/access-admin.db',
        baseAddress: 'http://127.0.0.1:8080',
        tenant: 'default',
        bootstrapClientId: null,
        bootstrapClientSecret: null,
        rateLimit: { requests: 1000, windowSeconds: 10 },
        logLevel: 'info',
        cacheBytes: 536_870_912,
        externalIssuer: null,
        processName: null,
        metricsPort: null,
        metricsToken: null,
        decisionLog: null,
        otlp: null,
        trustedProxies: null,
        secretKey: null,
        previousSecretKey: null,
        webhookTargets: new Set(),
        mail: null,
        countryHeader: null,
        countryOf: expect.any(Function),
        consoleFolder: expect.stringMatching(/apps.console.dist$/),
        experimentalHeader: 'required',
        signInApplications: [],
      },
    });
  });

  test('derives the base address from host and port', () => {
    expect(parseConfig({ HOST: '::1', PORT: '9000' })).toMatchObject({ value: { baseAddress: 'http://[::1]:9000' } });
    expect(parseConfig({ BASE_ADDRESS: 'https://{tenant}.example.com/' })).toMatchObject({
      value: { baseAddress: 'https://{tenant}.example.com' },
    });
  });

  test('takes the experimental header as required or as optional', () => {
    expect(parseConfig({ EXPERIMENTAL_HEADER: 'optional' })).toMatchObject({
      value: { experimentalHeader: 'optional' },
    });
    expect(parseConfig({ EXPERIMENTAL_HEADER: 'off' })).toEqual({
      ok: false,
      failure: ['EXPERIMENTAL_HEADER must be required or optional.'],
    });
  });

  test('turns the rate limit off', () => {
    expect(parseConfig({ RATE_LIMIT: 'off' })).toMatchObject({ value: { rateLimit: null } });
    expect(parseConfig({ RATE_LIMIT: '5/1s' })).toMatchObject({
      value: { rateLimit: { requests: 5, windowSeconds: 1 } },
    });
  });

  test.each(['1048575', '512M', '1e9', '-1', '9999999999999999'])('refuses %s bytes of cache', (bytes) => {
    expect(parseConfig({ CACHE_BYTES: bytes }).ok).toBe(false);
  });

  test('the audience of an external issuer defaults to the base address', () => {
    const parsed = parseConfig({ AUTH_ISSUER: 'https://i.example', AUTH_JWKS_URL: 'https://i.example/jwks' });
    expect(parsed).toMatchObject({ value: { externalIssuer: { audience: 'http://127.0.0.1:8080' } } });
  });

  test('an external issuer needs an audience if the base address contains {tenant}', () => {
    const external = { AUTH_ISSUER: 'https://i.example', AUTH_JWKS_URL: 'https://i.example/jwks' };
    expect(parseConfig({ ...external, BASE_ADDRESS: 'https://{tenant}.example.com' }).ok).toBe(false);
    expect(parseConfig({ ...external, BASE_ADDRESS: 'https://a.example/' })).toMatchObject({
      value: { externalIssuer: { audience: 'https://a.example' } },
    });
  });

  test('reads how an external issuer names its claims, and refuses a malformed mapping', () => {
    const external = { AUTH_ISSUER: 'https://i.example', AUTH_JWKS_URL: 'https://i.example/jwks' };
    expect(parseConfig({ ...external, AUTH_CLAIMS: '{"tenant":{"claim":"tid"}}' })).toMatchObject({
      value: { externalIssuer: { claims: { tenant: [{ claim: 'tid' }], types: ['at+jwt'] } } },
    });
    for (const AUTH_CLAIMS of ['{', '{"tenant":7}'])
      expect(parseConfig({ ...external, AUTH_CLAIMS })).toMatchObject({
        failure: [expect.stringContaining('AUTH_CLAIMS')],
      });
    expect(parseConfig({ AUTH_CLAIMS: '{}' })).toMatchObject({ ok: false });
  });

  test.each(['https://x.example?', 'https://x.example#', 'https://u@x.example', 'https://x.example/a', 'x.example'])(
    'refuses the base address %s',
    (address) => {
      expect(parseConfig({ BASE_ADDRESS: address }).ok).toBe(false);
    },
  );

  test.each([
    'postgres://u:secret@h/d',
    'postgres://u:s%23cret@h:5432/d',
    'postgres://u:secret@/d?host=/run/postgresql',
    'postgres:///d?host=/run/postgresql',
  ])('accepts PostgreSQL: %s', (url) => {
    expect(parseConfig({ DATABASE_URL: url })).toMatchObject({ value: { databaseUrl: url } });
  });

  test.each([
    ['DATABASE_URL', 'postgres://u:1234#secret@h/d'],
    ['DATABASE_URL', 'postgres://u:se/cret@h/d'],
    ['AUTH_JWKS_URL', 'https://u:secret@issuer.example/jwks'],
    ['AUTH_JWKS_URL', 'https://u@issuer.example/jwks'],
  ])('refuses %s=%s without repeating it', (name, text) => {
    const parsed = parseConfig({ AUTH_ISSUER: 'https://i.example', AUTH_JWKS_URL: 'https://i.example', [name]: text });
    expect(parsed.ok ? [] : parsed.failure).toEqual([expect.stringContaining(name)]);
    expect(JSON.stringify(parsed)).not.toContain('secret');
  });

  test('the token of the metrics is one that a Bearer header can have', () => {
    const isGood = (token: string) => parseConfig({ METRICS_TOKEN: token }).ok;
    expect(['x'.repeat(16), 'x'.repeat(256), 'aZ09-._~+/aZ09-._~+/==', ''].map(isGood)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(
      ['x'.repeat(15), 'x'.repeat(257), 'secret with spaces in it', 'a=a=a=a=a=a=a=a=a', 'é'.repeat(20)].map(isGood),
    ).toEqual([false, false, false, false, false]);
    expect(JSON.stringify(parseConfig({ METRICS_TOKEN: 'short secret' }))).not.toContain('short secret');
  });

  test.each(['10.0.0.1', '10.0.0.0/8,::1', '::ffff:10.0.0.0/104, 2001:db8::/32'])(
    'accepts trusted proxies: %s',
    (text) => {
      expect(parseConfig({ TRUSTED_PROXIES: text })).toMatchObject({ ok: true });
    },
  );

  test('lists all issues', () => {
    const parsed = parseConfig({
      HOST: 'a b',
      PORT: '70000',
      DATABASE_URL: 'mysql://x',
      BASE_ADDRESS: 'ftp://x/y',
      TENANT: 'Acme',
      BOOTSTRAP_CLIENT_ID: 'a b',
      RATE_LIMIT: '10',
      LOG_LEVEL: 'loud',
      CACHE_BYTES: '1048575',
      METRICS_TOKEN: 'too short',
      TRUSTED_PROXIES: 'proxy',
      AUTH_JWKS_URL: 'x',
    });
    const named = parsed.ok ? [] : parsed.failure.map((issue) => issue.split(' ')[0]);
    expect(named).toEqual([
      'HOST',
      'PORT',
      'DATABASE_URL',
      'BASE_ADDRESS',
      'LOG_LEVEL',
      'CACHE_BYTES',
      'TENANT',
      'BOOTSTRAP_CLIENT_ID',
      'RATE_LIMIT',
      'TRUSTED_PROXIES',
      'AUTH_ISSUER',
      'AUTH_JWKS_URL',
      'METRICS_TOKEN',
    ]);
  });

  test('reads the applications of sign-in from a file, and refuses one that is malformed or missing', () => {
    const application = {
      id: 'app-1',
      name: 'Directory',
      kind: 'ldap',
      tenants: ['default'],
      url: 'ldaps://directory.example.com',
      bindDn: 'uid={username},dc=example,dc=com',
    };
    const parse = (text: string) =>
      parseConfig({ SIGN_IN_APPLICATIONS: 'applications.json', COUNTRY_HEADER: 'CF-IPCountry' }, () =>
        Buffer.from(text),
      );
    expect(parse(JSON.stringify([application]))).toMatchObject({
      value: { signInApplications: [application], countryHeader: 'cf-ipcountry' },
    });
    expect(parse('[{}]')).toMatchObject({ ok: false });
    expect(parseConfig({ SIGN_IN_APPLICATIONS: 'no/such/file.json' })).toMatchObject({
      failure: ['SIGN_IN_APPLICATIONS: the file cannot be read.'],
    });
  });

  test('refuses a database of countries that is malformed or missing', () => {
    for (const config of [
      parseConfig({ GEOIP_DATABASE: 'countries.mmdb' }, () => Buffer.from('no database')),
      parseConfig({ GEOIP_DATABASE: 'no/such/file.mmdb' }),
    ])
      expect(config).toMatchObject({ failure: [expect.stringContaining('GEOIP_DATABASE')] });
  });
});
