import type { ClaimRequest, LeasedQueue, Release } from './queue.ts';
import type { LeaseClaim } from './statements.ts';

/** The claims of one kind of work, as `LeasedQueue` describes them. */
export interface Leases<Claim> {
  claim(request: ClaimRequest): Promise<readonly Claim[]>;
  /** Extends leases. Returns the claims that are still held. */
  renew(claims: readonly Claim[], leaseEndMs: number): Promise<readonly Claim[]>;
  /** Gives a claim back before its lease ends; nothing happens when another worker has it. */
  release(claim: Claim, release: Release): Promise<void>;
}

interface ClaimCodec<Row, Claim> {
  toClaim(row: Row, nowMs: number): Claim;
  keyOf(claim: Claim): LeaseClaim;
}

/** The leases of a queue whose rows are claims of a shape of their own. */
export const createLeases = <Row, Claim>(
  queue: LeasedQueue<Row>,
  { toClaim, keyOf }: ClaimCodec<Row, Claim>,
): Leases<Claim> => ({
  claim: async (request) => (await queue.claim(request)).map((row) => toClaim(row, request.nowMs)),
  renew: async (claims, leaseEndMs) => {
    const held = await queue.renew(
      claims.map((claim) => ({ ...keyOf(claim), claim })),
      leaseEndMs,
    );
    return held.map(({ claim }) => claim);
  },
  release: (claim, release) => queue.release([keyOf(claim)], release),
});
