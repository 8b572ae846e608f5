import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const hasProc = existsSync('/proc/self/stat');

/** Whether a process is running; a zombie is not. */
export function isRunning(id) {
  if (hasProc) return !['Z', 'X', undefined].includes(statFromProc(id)[0]);
  return parentOf(id) !== null;
}

/** The parent's id of a process; null when there is no such process. */
export function parentOf(id) {
  if (hasProc) return parentFromProc(id);
  const parent = Number(ps(['-o', 'ppid=', '-p', String(id)]));
  return parent > 0 ? parent : null;
}

/** The command line of a process, its words joined by blanks; empty when it cannot be read. */
export function commandLineOf(id) {
  if (!hasProc) return ps(['-o', 'args=', '-p', String(id)]).trim();
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** A process and all that descend from it, parents first. */
export function withDescendants(id) {
  const parents = parentsById();
  const family = [id];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family;
}

function parentsById() {
  const ids = hasProc ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  if (hasProc) return new Map(ids.map((id) => [Number(id), parentFromProc(id)]));
  const rows = ps(['-A', '-o', 'pid=,ppid=']).trim().split('\n');
  return new Map(rows.map((row) => row.trim().split(/\s+/).map(Number)));
}

function parentFromProc(id) {
  const parent = statFromProc(id)[1];
  return parent === undefined ? null : Number(parent);
}

// State, parent and more. The name before them is in parentheses and may itself contain blanks and parentheses.
function statFromProc(id) {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8').split(')').at(-1).trim().split(' ');
  } catch {
    return [];
  }
}

function ps(args) {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
