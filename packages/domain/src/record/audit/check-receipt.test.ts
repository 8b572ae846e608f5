import { runs } from '@access-admin/test-depth';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../basics/json/canonical.ts';
import { receiptRequest } from './check-receipt.ts';

const text = fc.string({ unit: 'grapheme' });
const instant = fc.option(fc.constantFrom('2026-11-21T09:30:00.000Z', '2027-01-01T00:00:00.000Z'));

test('the request of a receipt is in canonical JSON, without what is null', () => {
  const ref = fc.record({ type: fc.constantFrom('ENTITLEMENT', 'ROLE'), id: text, start: instant, end: instant });
  const request = fc.record({
    identityId: text,
    accessRefs: fc.array(ref, { maxLength: 4 }),
    at: instant,
    clientMetadata: fc.option(fc.dictionary(text, text)),
  });
  fc.assert(
    fc.property(request, (given) => {
      const written = receiptRequest(given as Parameters<typeof receiptRequest>[0]);
      const isKept = (_: string, value: unknown) => value ?? undefined;
      expect(written).toBe(canonicalJson(JSON.parse(JSON.stringify(given, isKept))));
    }),
    runs(300),
  );
});
