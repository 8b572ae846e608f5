import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRecoveryCodes } from './recovery.ts';

const CONTEXT = {
  tenant: 'acme',
  actor: { clientId: 'c', identityId: null },
  operation: 'test',
  time: '2026-03-01T12:00:00.000Z',
  trackingId: '0',
};

function createCodes() {
  let kept: string[] = [];
  const codes = createRecoveryCodes({
    newBytes: randomBytes,
    credentials: {
      setRecoveryCodes: async (_context, identityId, { hashes }) => {
        kept = [...hashes];
        return identityId === 'ada' ? 'STORED' : 'IDENTITY_GONE';
      },
      useRecoveryCode: async (_tenant, _identityId, hash) => {
        const known = kept.includes(hash);
        kept = kept.filter((each) => each !== hash);
        return known;
      },
    },
  });
  return { codes, kept: () => kept };
}

test('ten codes are made, and each is right once, however it is typed', async () => {
  const { codes, kept } = createCodes();
  const made = (await codes.replace(CONTEXT, 'ada', null)) ?? [];
  expect(new Set(made).size).toBe(10);
  for (const code of made) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
  expect(kept().join()).not.toContain(made[0]?.replaceAll('-', ''));
  const [first = '', second = ''] = made;
  expect(await codes.verify('acme', 'ada', first)).toBe(true);
  expect(await codes.verify('acme', 'ada', first)).toBe(false);
  expect(await codes.verify('acme', 'ada', ` ${second.toUpperCase().replaceAll('-', ' ')}`)).toBe(true);
  expect(await codes.replace(CONTEXT, 'gone', null)).toBeNull();
});

test.each(['', 'aaaa', 'a'.repeat(17), '0000-0000-0000-0000', 'x'.repeat(100_000)])(
  '%.20s is no code',
  async (code) => {
    const { codes } = createCodes();
    await codes.replace(CONTEXT, 'ada', null);
    expect(await codes.verify('acme', 'ada', code)).toBe(false);
  },
);
