/** Hands a file to the viewer. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** One CSV cell. A leading `=`, `+`, `-` or `@` would run as a formula in a spreadsheet. */
function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV. RFC 4180. */
export function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  return `${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

/** A name that every file system takes: `my-bot_shard-3_2026-11-20_2026-11-21.csv`. */
export function fileName(parts: readonly string[], ending: string): string {
  const safe = parts.map((part) =>
    part
      .normalize('NFKD')
      .replace(/[^\w.-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .toLowerCase(),
  );
  return `${safe.filter((part) => part !== '').join('_')}.${ending}`;
}
