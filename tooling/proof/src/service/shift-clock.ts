import { readFileSync } from 'node:fs';

// Preloaded into a process: a file shifts its clock. Timers are unchanged, as a real
// clock that jumps does not change them either.
const LOOK_MS = 5;
const path = process.env['CLOCK_FILE'] ?? '';
const RealDate = Date;
let offsetMs = 0;

function look(): void {
  const text = readFileSync(path, 'utf8');
  // Empty while it is being written.
  if (text !== '') offsetMs = Number(text);
}

class ShiftedDate extends RealDate {
  constructor(...given: ConstructorParameters<DateConstructor> | []) {
    if (given.length === 0) super(ShiftedDate.now());
    else super(...given);
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

look();
setInterval(look, LOOK_MS).unref();
Object.defineProperty(globalThis, 'Date', { value: ShiftedDate, configurable: true, writable: true });
