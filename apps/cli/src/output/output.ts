import { styleText } from 'node:util';
import { counted } from './counted.ts';
import { escapeControls, escapeLines, type Styled } from './escape.ts';

/** The style of a part of a text on a terminal. */
export type Style = 'red' | 'yellow' | 'green' | 'cyan' | 'bold' | 'dim';

/** Where the command writes: its result to standard output, everything else to standard error. */
export interface Output {
  /** Writes a part of a result for programs. Resolves once more can be written; rejects when its reader has left. */
  write(text: string): Promise<void>;
  /** Writes a part of a result for people, as `write` does. Only styles control the terminal. */
  show(text: string): Promise<void>;
  /** Writes a line for people to standard error. */
  note(text: string): void;
  /** Data in a style, where the result goes to a terminal that shows styles. */
  style(style: Style, text: string): Styled;
  /** Shows how far something is, once it has taken a second. */
  progress(title: string, unit: ProgressUnit): Progress;
}

/** What a progress counts. */
export type ProgressUnit = 'bytes' | 'records' | 'percent';

/** Something that takes a while. */
export interface Progress {
  /** `total` is null where it is not known. */
  update(done: number, total: number | null): void;
  end(): void;
}

type Stream = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };

/** What an output needs of the platform. */
export interface Streams {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly noColor: boolean;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
}

const SHOWN_AFTER_MS = 1000;
const SHOWN_EVERY_MS = 200;
const LINE_EVERY_MS = 10_000;

/** Creates the output on two streams. Progress is a bar on a terminal, else a line now and then. */
export function createOutput({ stdout, stderr, noColor, clock }: Streams): Output {
  const isStyled = stdout.isTTY === true && !noColor;
  const send = (text: string) =>
    new Promise<void>((resolve, reject) => {
      stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  return {
    write: (text) => send(stdout.isTTY === true ? escapeLines(text) : text),
    show: (text) => send(escapeUnstyled(text)),
    note: (text) => {
      stderr.write(`${escapeLines(text)}\n`);
    },
    style: (style, text) => {
      const plain = escapeControls(text);
      const shown = isStyled ? styleText(style, plain, { validateStream: false }) : plain;
      return { plain, toString: () => shown };
    },
    progress: (title, unit) => {
      const startMs = clock();
      // Where nobody watches, a line now and then is enough.
      let shownMs = stderr.isTTY ? Number.NEGATIVE_INFINITY : startMs;
      let isShown = false;
      return {
        update: (done, total) => {
          const nowMs = clock();
          if (nowMs - startMs < SHOWN_AFTER_MS) return;
          if (nowMs - shownMs < (stderr.isTTY ? SHOWN_EVERY_MS : LINE_EVERY_MS)) return;
          shownMs = nowMs;
          const text = describeProgress({
            title: escapeControls(title),
            unit,
            done,
            total,
            seconds: (nowMs - startMs) / 1000,
          });
          stderr.write(stderr.isTTY ? `\r\u001b[2K${text}` : `${text}\n`);
          isShown = true;
        },
        end: () => {
          if (isShown && stderr.isTTY) stderr.write('\r\u001b[2K');
        },
      };
    },
  };
}

// What styles write; the data in them has been escaped.
const STYLES = new RegExp(`(${String.fromCharCode(27)}\\[(?:1|2|22|3[1236]|39)m)`);

/** The last guard of a terminal: whatever data was not escaped when it was put into a text can at most colour it. */
const escapeUnstyled = (text: string): string =>
  text
    .split(STYLES)
    .map((part, at) => (at % 2 === 1 ? part : escapeLines(part)))
    .join('');

const BAR_WIDTH = 24;

interface ProgressState {
  readonly title: string;
  readonly unit: ProgressUnit;
  readonly done: number;
  readonly total: number | null;
  readonly seconds: number;
}

/** A progress as a line of text: bar, amount, rate and time left. */
export function describeProgress({ title, unit, done, total, seconds }: ProgressState): string {
  const rate = done / seconds;
  const speed = unit === 'percent' ? '' : ` ${formatAmount(rate, unit)}/s`;
  if (total === null || total === 0) return `${title} ${formatAmount(done, unit)}${speed}`;
  const part = Math.min(1, done / total);
  const filled = Math.round(part * BAR_WIDTH);
  const bar = `${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}`;
  const left = rate > 0 ? `, ${formatSeconds((total - done) / rate)} left` : '';
  return `${title} [${bar}] ${Math.floor(part * 100)} %${speed}${left}`;
}

function formatAmount(amount: number, unit: ProgressUnit): string {
  if (unit === 'percent') return `${Math.floor(amount)} %`;
  if (unit === 'records') return counted(Math.round(amount), 'record');
  return `${(amount / 1024 / 1024).toFixed(1)} MiB`;
}

/** A duration such as `1 min 5 s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
