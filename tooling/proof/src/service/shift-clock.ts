import { readFileSync } from 'node:fs';

// Preloaded into a process: a file shifts its clock. Timers are unchanged, as a real
// clock that jumps does not change them either.
const POLL_MS = 5;
const path = process.env['CLOCK_FILE'] ?? '';
const RealDate = Date;
let offsetMs = 0;

class ShiftedDate extends RealDate {
  constructor(...given: ConstructorParameters<DateConstructor> | []) {
    if (given.length === 0) super(ShiftedDate.now());
    else super(...given);
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

const readOffset = () => {
  offsetMs = Number(readFileSync(path, 'utf8'));
};
readOffset();
setInterval(readOffset, POLL_MS).unref();
Object.defineProperty(globalThis, 'Date', { value: ShiftedDate, configurable: true, writable: true });
