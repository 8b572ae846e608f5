import { isResourceId, RESOURCE_ID_LENGTH_MAX } from '@access-admin/domain';

/** Gives names of other systems ids that the service accepts; the same name always gets the same id. */
export interface IdMaker {
  /** Throws a `RangeError` for an empty name. */
  idOf(name: string): string;
}

/**
 * Creates ids: a name that is a valid id stays as it is, any other is transliterated and made unique by a short digest of itself, so
 * that the id depends on the name alone.
 */
export function createIds(): IdMaker {
  const made = new Map<string, string>();
  return {
    idOf: (name) => {
      if (isResourceId(name)) return name;
      const known = made.get(name);
      if (known !== undefined) return known;
      if (name.trim() === '') throw new RangeError('an id must not be empty');
      const plain = transliterate(name).slice(0, RESOURCE_ID_LENGTH_MAX - DIGEST_LENGTH - 1);
      const id = `${plain === '' ? 'id' : plain}-${digest(name)}`;
      made.set(name, id);
      return id;
    },
  };
}

const DIGEST_LENGTH = 8;

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
};

const transliterate = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæÆøØđĐłŁı]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/[^A-Za-z0-9:_.-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

/** 40 bits of FNV-1a, twice with other starts: it only keeps apart what looks alike. */
function digest(name: string): string {
  let text = '';
  for (const start of [0x811c9dc5, 0x9747b28c]) {
    let hash = start;
    for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
    text += hash.toString(36).padStart(7, '0').slice(-4);
  }
  return text;
}
