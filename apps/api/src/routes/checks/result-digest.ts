import { createHash } from 'node:crypto';
import { splitJson } from '@access-admin/contract';
import { type Basis, canonicalJson } from '@access-admin/domain';

/** What a receipt says about the result of a check. */
export interface ResultDigest {
  /** SHA-256 over its canonical JSON, in hexadecimal digits. */
  readonly sha256: string;
  readonly basis: Basis;
  readonly violatedPolicies: readonly string[];
}

/** Characters written between two pauses. */
const CHARACTERS_PER_SLICE = 100_000;

/** Digests a result of up to 16 MiB item by item, and awaits `pause` every few milliseconds. */
export async function digestResult(text: string, pause: () => Promise<unknown>): Promise<ResultDigest> {
  const split = await splitJson(text, { pause, itemsMax: Number.POSITIVE_INFINITY });
  const frame: Basis & Readonly<Record<string, unknown>> = JSON.parse(split?.frame ?? '');
  const hash = createHash('sha256');
  const violatedPolicies: string[] = [];
  let unpaused = 0;
  const writeItem = async (name: string, item: string) => {
    const value: unknown = JSON.parse(item);
    if (name === 'violatedPolicies') violatedPolicies.push((value as { readonly id: string }).id);
    hash.update(canonicalJson(value));
    unpaused += item.length;
    if (unpaused < CHARACTERS_PER_SLICE) return;
    unpaused = 0;
    await pause();
  };
  let separator = '{';
  for (const name of Object.keys(frame).sort()) {
    const value = frame[name];
    hash.update(`${separator}${JSON.stringify(name)}:`);
    separator = ',';
    if (Array.isArray(value)) {
      hash.update('[');
      for (const [at, number] of value.entries()) {
        if (at > 0) hash.update(',');
        await writeItem(name, split?.items[number] ?? '');
      }
      hash.update(']');
    } else {
      hash.update(canonicalJson(value));
    }
  }
  const { policySetVersion, asOf } = frame;
  return { sha256: hash.update('}').digest('hex'), basis: { policySetVersion, asOf }, violatedPolicies };
}
