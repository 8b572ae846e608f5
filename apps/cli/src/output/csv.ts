/** Writes a row of CSV (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe. */
export const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join()}\r\n`;

function csvCell(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
