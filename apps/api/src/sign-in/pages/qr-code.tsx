import createQrCode from 'qrcode-generator';

/** The light modules that the standard asks for around a code. */
const QUIET_MODULES = 4;

/** An ASCII text as a QR code, with this name for screen readers. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = createQrCode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; ) {
      const from = column;
      while (column < count && code.isDark(row, column)) column++;
      if (column > from) path += `M${from} ${row}h${column - from}v1h${from - column}z`;
      else column++;
    }
  const size = count + 2 * QUIET_MODULES;
  const box = `${-QUIET_MODULES} ${-QUIET_MODULES} ${size} ${size}`;
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={box} shape-rendering="crispEdges">
      <path fill="#000" d={path} />
    </svg>
  );
}
