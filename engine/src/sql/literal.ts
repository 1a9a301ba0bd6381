const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '`': '\\`',
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

function escape(text: string): string {
  return text.replace(/[\\'`\0\n\r\t\b\f]/g, (char) => ESCAPES[char] ?? char);
}

/** A ClickHouse string literal; only `\` and `'` could end it early, both are escaped. */
export function stringLiteral(text: string): string {
  return `'${escape(text)}'`;
}

/** A ClickHouse identifier in backticks. */
export function identifierLiteral(text: string): string {
  return `\`${escape(text)}\``;
}

/**
 * `SET param_name = 'value', ...`: the session's own parameters. ClickHouse itself reads each value
 * by the placeholder's type, as with `param_name` in its HTTP interface.
 */
export function setParameters(values: ReadonlyMap<string, string>): string | undefined {
  if (values.size === 0) return undefined;
  const parts = [...values].map(([name, value]) => `param_${name} = ${stringLiteral(value)}`);
  return `SET ${parts.join(', ')}`;
}
