import { usePageTexts } from '../languages/context.tsx';
import { BOX, type Box, type Graph, type Line, shortenName, wrapName } from './layout.ts';
import styles from './picture.module.css';
import { isNamed } from './side-title.ts';
import { WHY_TEXTS } from './texts.ts';

/** The colors of sides, in turn: their names tell them apart. */
const SIDES = ['first', 'second'];
// Names of accounts are often in capitals, which are wide.
const LINE_LENGTH = 19;
const SIDE_LENGTH = 23;
const LINE_PX = 17;
const BASELINE_PX = 4.5;

/** The ways from a person to the items of each side, as a picture. */
export function WhyGraph({ graph }: { readonly graph: Graph }) {
  const pageText = usePageTexts(WHY_TEXTS);
  const { width, height } = graph;
  return (
    <div className={styles['view']} tabIndex={0} role="group" aria-label={pageText('graph')}>
      <svg
        className={styles['graph']}
        role="img"
        aria-label={pageText('graph.text')}
        width={width}
        height={height}
        viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      >
        {graph.columns.map(({ column, x }) => (
          <text key={column} className={styles['head']} x={x} y={14}>
            {pageText(`column.${column}`)}
          </text>
        ))}
        {graph.sides.map(({ name, x, y }, at) => (
          <text key={y} className={`${styles['side']} ${styles[SIDES[at % 2] ?? '']}`} x={x} y={y + 14}>
            {isNamed(name) ? shortenName(name, SIDE_LENGTH) : pageText('side', { count: at + 1 })}
          </text>
        ))}
        {graph.lines.map((line) => (
          <path key={`${line.from.key} ${line.to.key}`} className={styles['line']} d={curveOf(line)} />
        ))}
        {graph.boxes.map((box) => (
          <NamedBox key={box.key} box={box} />
        ))}
      </svg>
    </div>
  );
}

function NamedBox({ box: { x, y, side, name } }: { readonly box: Box }) {
  const lines = wrapName(name, LINE_LENGTH);
  const middle = BOX.height / 2 + BASELINE_PX - ((lines.length - 1) * LINE_PX) / 2;
  return (
    <svg x={x} y={y} width={BOX.width} height={BOX.height}>
      <title>{name}</title>
      <rect
        className={`${styles['box']} ${side === null ? '' : styles[`${SIDES[side % 2]}Item`]}`}
        x={0.5}
        y={0.5}
        width={BOX.width - 1}
        height={BOX.height - 1}
        rx={4}
      />
      {lines.map((line, at) => (
        <text key={line} className={styles['name']} x={BOX.width / 2} y={middle + at * LINE_PX}>
          {line}
        </text>
      ))}
    </svg>
  );
}

function curveOf({ from, to, passes }: Line): string {
  let x = from.x + BOX.width;
  let y = from.y + BOX.height / 2;
  const curves = [...passes, { x: to.x, y: to.y + BOX.height / 2 }].map((next) => {
    const middle = (x + next.x) / 2;
    const curve = `C ${middle} ${y} ${middle} ${next.y} ${next.x} ${next.y}`;
    x = next.x + BOX.width;
    y = next.y;
    return curve;
  });
  return `M ${from.x + BOX.width} ${from.y + BOX.height / 2} ${curves.join(` h ${BOX.width} `)}`;
}
