import { drawOne, type Random, shuffled } from '../campaign/random.ts';
import type { LoggedCall } from './write-log.ts';

const SECTOR_BYTES = 512;

/** The effect of a power cut on unsynced writes. */
const FATES = ['dropped', 'kept', 'some calls', 'some sectors', 'some sectors, reordered'] as const;
type Fate = (typeof FATES)[number];

interface Inode {
  /** Content that a sync has made durable. */
  readonly safe: Content;
  /** Writes and truncations. */
  pending: LoggedCall[];
}

/** A disk that keeps only synced content. A sync of the directory makes created and removed files durable. */
export function createPowerCutDisk() {
  const names = new Map<string, Inode>();
  let safeNames = new Map<string, Inode>();
  // The states of the directory since its last sync, in the order that a file system keeps.
  let states: Map<string, Inode>[] = [];

  const inodeOf = (name: string): Inode => {
    const inode = names.get(name);
    if (inode === undefined) throw new Error(`${name} is written but was never created.`);
    return inode;
  };

  const apply = (call: LoggedCall): void => {
    const { kind, name } = call;
    if (kind === 'create' || kind === 'unlink') {
      if (kind === 'create') names.set(name, { safe: createContent(), pending: [] });
      else names.delete(name);
      states.push(new Map(names));
    } else if (kind === 'sync' && name === '.') {
      safeNames = new Map(names);
      states = [];
    } else if (kind === 'sync') {
      const inode = inodeOf(name);
      for (const change of inode.pending) inode.safe.change(change);
      inode.pending = [];
    } else inodeOf(name).pending.push(call);
  };

  /** The files, by name, of one of the possible disks after a power cut at this point. */
  const cut = (random: Random) => {
    const fate = drawOne(random, FATES);
    const listed = drawOne(random, [safeNames, ...states]);
    const files = [...listed].map(([name, { safe, pending }]): [string, Buffer] => {
      const content = safe.copy();
      for (const change of survivors(pending, fate, random)) content.change(change);
      return [name, content.bytes()];
    });
    return { fate, files: new Map(files) };
  };

  return { apply, cut };
}

type Content = ReturnType<typeof createContent>;

function createContent(from: Buffer = Buffer.alloc(0)) {
  let buffer = from;
  let size = from.length;
  const grow = (wanted: number) => {
    if (wanted > buffer.length) {
      const larger = Buffer.alloc(Math.max(wanted, buffer.length * 2));
      buffer.copy(larger, 0, 0, size);
      buffer = larger;
    }
    if (wanted > size) size = wanted;
  };
  return {
    change: ({ kind, place, data }: LoggedCall): void => {
      grow(place + data.length);
      data.copy(buffer, place);
      if (kind === 'write') return;
      buffer.fill(0, place, size);
      size = place;
    },
    copy: () => createContent(Buffer.from(buffer.subarray(0, size))),
    bytes: () => buffer.subarray(0, size),
  };
}

function survivors(pending: readonly LoggedCall[], fate: Fate, random: Random): readonly LoggedCall[] {
  if (fate === 'dropped') return [];
  if (fate === 'kept') return pending;
  const parts = fate === 'some calls' ? pending : pending.flatMap(sectorsOf);
  // Keeps a random share, from none to all of them.
  const percent = random(101);
  const kept = parts.filter(() => random(100) < percent);
  return fate === 'some sectors, reordered' ? shuffled(kept, random) : kept;
}

function sectorsOf(change: LoggedCall): readonly LoggedCall[] {
  if (change.kind === 'truncate') return [change];
  const sectors: LoggedCall[] = [];
  const { place, data } = change;
  for (let from = 0; from < data.length; ) {
    const end = Math.min(data.length, from + SECTOR_BYTES - ((place + from) % SECTOR_BYTES));
    sectors.push({ ...change, place: place + from, data: data.subarray(from, end) });
    from = end;
  }
  return sectors;
}
