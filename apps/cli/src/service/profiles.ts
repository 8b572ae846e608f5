import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { reasonOf } from '../files/read-text.ts';
import { writeWhole } from '../files/write-whole.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';

/** A service and the client that calls it. */
export interface Profile {
  readonly url?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

const configFile = v.object({
  profiles: v.optional(
    v.record(
      v.string(),
      v.object({
        url: v.optional(v.string()),
        clientId: v.optional(v.string()),
        clientSecret: v.optional(v.string()),
      }),
    ),
    {},
  ),
});

/** The saved profiles by name; none where there is no file. Throws a `CommandFailure` for a file of another kind. */
export function readProfiles(path: string): Readonly<Record<string, Profile>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (Object(error).code === 'ENOENT') return {};
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  }
  try {
    return v.parse(configFile, JSON.parse(text)).profiles;
  } catch (error) {
    throw new CommandFailure(`${path}: not a file of profiles: ${reasonOf(error)}`);
  }
}

/** Saves profiles in a file that only its owner can read. */
export async function writeProfiles(path: string, profiles: Readonly<Record<string, Profile>>, output: Output) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await writeWhole(path, `${JSON.stringify({ profiles }, null, 2)}\n`, { output, mode: 0o600 });
  chmodSync(path, 0o600);
}
