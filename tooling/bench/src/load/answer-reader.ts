/** An answer of an HTTP/1.1 server. */
export interface HttpAnswer {
  readonly status: number;
  /** The body without its framing, in pieces. */
  readonly parts: readonly Buffer[];
}

/** Parses the answers on one connection, with a content length or chunked. The returned function takes the next bytes. */
export function createAnswerReader(onAnswer: (answer: HttpAnswer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let status = 0;
  let parts: Buffer[] = [];
  let missing = 0;
  let afterBody: Step = 'head';

  /** The text before the mark; null while the mark has not arrived. */
  const takeUntil = (mark: string): string | null => {
    const end = rest.indexOf(mark);
    if (end === -1) return null;
    const text = rest.toString('latin1', 0, end);
    rest = rest.subarray(end + mark.length);
    return text;
  };
  const finish = (): Step => {
    const answer = { status, parts };
    parts = [];
    onAnswer(answer);
    return 'head';
  };
  const steps: Readonly<Record<Step, () => Step | null>> = {
    head: () => {
      const head = takeUntil('\r\n\r\n');
      if (head === null) return null;
      status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
      if (/\r\ntransfer-encoding: *chunked/i.test(head)) return 'chunkSize';
      missing = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
      if (Number.isNaN(missing)) throw new Error(`an answer without a length:\n${head}`);
      afterBody = 'head';
      return 'body';
    },
    chunkSize: () => {
      const line = takeUntil('\r\n');
      if (line === null) return null;
      missing = Number.parseInt(line, 16);
      if (Number.isNaN(missing)) throw new Error(`a chunk without a size: ${line}`);
      afterBody = 'chunkEnd';
      return missing === 0 ? 'end' : 'body';
    },
    body: () => {
      if (missing > 0 && rest.length === 0) return null;
      const part = rest.subarray(0, missing);
      rest = rest.subarray(part.length);
      missing -= part.length;
      if (part.length > 0) parts.push(part);
      if (missing > 0) return null;
      return afterBody === 'head' ? finish() : afterBody;
    },
    chunkEnd: () => (takeUntil('\r\n') === null ? null : 'chunkSize'),
    end: () => (takeUntil('\r\n') === null ? null : finish()),
  };

  let step: Step = 'head';
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    for (let next = steps[step](); next !== null; next = steps[step]()) step = next;
  };
}

type Step = 'head' | 'body' | 'chunkSize' | 'chunkEnd' | 'end';
