import { crc32 } from 'node:zlib';

/** A cell: text, a number also by one of `FORMATS`, a day as Excel stores it, or XML with `PLACE` where its place is. */
export type WorkbookCell =
  | string
  | number
  | { readonly day: string; readonly isGerman?: boolean }
  | { readonly number: string; readonly format: (typeof FORMATS)[number] }
  | { readonly xml: string };

/** Formats of numbers, as they stand in the file. */
const FORMATS = ['00000', '&quot;P&quot;0000', '00\\-000;-0', '#,##0', '0', '0.00'] as const;

/** Writes a workbook (.xlsx) with sheets of rows, for tests: an archive of stored parts. */
export function workbook(sheets: Readonly<Record<string, readonly (readonly WorkbookCell[])[]>>): Buffer {
  const names = Object.keys(sheets);
  const parts: Record<string, string> = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_, at) => `<Relationship Id="rId${at + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml':
      '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/>' +
      FORMATS.map((code, at) => `<numFmt numFmtId="${165 + at}" formatCode="${code}"/>`).join('') +
      '</numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"><alignment/></xf>' +
      FORMATS.map((_, at) => `<xf numFmtId="${165 + at}"/>`).join('') +
      '</cellXfs></styleSheet>',
  };
  for (const [at, name] of names.entries())
    parts[`xl/worksheets/sheet${at + 1}.xml`] =
      `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${(sheets[name] ?? []).map(rowXml).join('')}</sheetData></worksheet>`;
  return archive(parts);
}

const EPOCH_MS = Date.UTC(1899, 11, 30);

const rowXml = (cells: readonly WorkbookCell[], row: number): string =>
  `<row r="${row + 1}">${cells.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${row + 1}`)).join('')}</row>`;

function cellXml(cell: WorkbookCell, place: string): string {
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell !== 'string' && 'xml' in cell) return cell.xml.replace('PLACE', place);
  if (typeof cell !== 'string' && 'number' in cell)
    return `<c r="${place}" s="${3 + FORMATS.indexOf(cell.format)}"><v>${cell.number}</v></c>`;
  if (typeof cell !== 'string')
    return `<c r="${place}" s="${cell.isGerman ? 2 : 1}"><v>${(Date.parse(cell.day) - EPOCH_MS) / 86_400_000}</v></c>`;
  return cell === '' ? '' : `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`;
}

/** A ZIP archive of parts that are not compressed. */
function archive(parts: Readonly<Record<string, string>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(parts)) {
    const content = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const head = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name)]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, rest, Buffer.from(name));
    local.push(head, content);
    offset += head.length + content.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(parts).length, 4);
  end.writeUInt16LE(Object.keys(parts).length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from('PK\u0005\u0006'), end]);
}
