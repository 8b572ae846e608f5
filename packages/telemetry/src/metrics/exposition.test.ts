import { expect, test } from 'vitest';
import { expose, writeMetrics } from './exposition.ts';

test('metrics of several processes are one block for each name, with a label of the process', () => {
  const of = (process: string, value: number) =>
    writeMetrics(
      [
        { name: 'a_total', help: 'Counted.', type: 'counter', values: [{ labels: { kind: 'x' }, value }] },
        { name: 'b', help: 'A gauge\nin C:\\.', type: 'gauge', values: [{ labels: {}, value: Number.NaN }] },
      ],
      { process },
    );
  const { text, contentType } = expose([of('api-1', 1), of('api-2', 2.5)]);
  expect(text).toBe(`# HELP a_total Counted.
# TYPE a_total counter
a_total{kind="x",process="api-1"} 1
a_total{kind="x",process="api-2"} 2.5

# HELP b A gauge\\nin C:\\\\.
# TYPE b gauge
b{process="api-1"} NaN
b{process="api-2"} NaN
`);
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
});

test('samples have names, labels and values as the format writes them', () => {
  const values = [
    { metricName: 'h_bucket', labels: { le: '+Inf', path: 'a"b\\c\nd' }, value: Number.POSITIVE_INFINITY },
    { labels: {}, value: Number.NEGATIVE_INFINITY },
    { labels: {}, value: 1e21 },
  ];
  const { text } = expose([writeMetrics([{ name: 'h', help: 'H.', type: 'histogram', values }])]);
  expect(text.split('\n').slice(2)).toEqual([
    'h_bucket{le="+Inf",path="a\\"b\\\\c\\nd"} +Inf',
    'h -Inf',
    'h 1e+21',
    '',
  ]);
});
