// Preloaded into the processes that pictures are taken of: their time begins at the same instant in every run, and passes so slowly
// that all pictures show the same minute.
import { SHOWN_MS } from './shown-time.ts';

const RATE = 1 / 20;
const RealDate = Date;
const startedMs = Number(process.env['PICTURES_STARTED_MS']);
const readMs = () => Math.floor(SHOWN_MS + (RealDate.now() - startedMs) * RATE);

globalThis.Date = new Proxy(RealDate, {
  get: (target, key) => (key === 'now' ? readMs : Reflect.get(target, key)),
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [readMs()] : given),
});
