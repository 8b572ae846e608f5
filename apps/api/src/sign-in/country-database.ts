import { parseAddress, textOfAddress } from '@access-admin/domain';
import { Reader } from 'mmdb-lib';
import { type CountryOf, knownCountry } from './origin.ts';

/** What the database of countries has to be. */
export const COUNTRY_DATABASE_RULE = 'the path of a database file in the MMDB format, with the country of each address';

/** What databases say of an address: those of MaxMind have `country`, others `country_code`. */
interface Found {
  readonly country?: { readonly iso_code?: unknown };
  readonly country_code?: unknown;
}

/** The country of each address, from the bytes of a database; null if they are none. */
export function parseCountryDatabase(bytes: Buffer): CountryOf | null {
  // The library searches the whole file for the beginning of its metadata, and trusts what follows.
  const reader = attempt(() => new Reader(bytes));
  const isReadable = attempt(() => [reader?.get(PROBE)]) !== null;
  if (reader === null || !isReadable || reader.metadata.nodeCount === 0) return null;
  const { ipVersion } = reader.metadata;
  return (address) => {
    const parsed = parseAddress(address);
    const looked = parsed === null ? null : textOfAddress(parsed);
    // A tree of IPv4 addresses would be walked with the first bits of an IPv6 address.
    if (looked === null || (ipVersion === 4 && looked.includes(':'))) return null;
    const found = attempt(() => reader.get(looked) as Found | null);
    return knownCountry(found?.country?.iso_code ?? found?.country_code);
  };
}

const PROBE = '1.1.1.1';

/** Null where the library throws because of the content of the file. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
