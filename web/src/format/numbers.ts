/** What stands where nothing was measured. */
export const NOT_MEASURED = '–';

/** Counts above this are shown compact, with the full figure in the title. ui.md D1. */
const compactFrom = 10_000;
const locale = undefined;

const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const compact = new Intl.NumberFormat(locale, {
  notation: 'compact',
  maximumSignificantDigits: 3,
});

/** Texts that are kept; the figures of 2,000 shards repeat, and a look-up is ten times cheaper. */
const keptTexts = 4_096;

/** `format` for figures rounded to `step`, remembering what it said. */
function remembered(format: Intl.NumberFormat, step: 1 | 0.1): (value: number) => string {
  const texts = new Map<number, string>();
  const scale = 1 / step;
  return (value) => {
    const rounded = Math.round(value * scale) / scale;
    const known = texts.get(rounded);
    if (known !== undefined) return known;
    const made = format.format(rounded);
    if (texts.size >= keptTexts) texts.clear();
    texts.set(rounded, made);
    return made;
  };
}

const wholeText = remembered(plain, 1);
const tenthsText = remembered(oneDigit, 0.1);

/** Every digit: "184,203". */
export function fullCount(value: number | null): string {
  return value === null ? NOT_MEASURED : wholeText(value);
}

/** "9,999", "184K", "1.24M". */
export function shortCount(value: number | null): string {
  if (value === null) return NOT_MEASURED;
  return Math.abs(value) < compactFrom ? wholeText(value) : compact.format(value);
}

/** Milliseconds up to 9,999, then seconds: "84 ms", "12.3 s". */
export function milliseconds(value: number | null): string {
  if (value === null) return NOT_MEASURED;
  if (Math.abs(value) < 9_999.5) {
    return Math.abs(value) < 10 && !Number.isInteger(value)
      ? `${tenthsText(value)} ms`
      : `${wholeText(value)} ms`;
  }
  return `${tenthsText(value / 1_000)} s`;
}

/** "1,083 MB". */
export function megabytes(value: number | null): string {
  return value === null ? NOT_MEASURED : `${wholeText(value)} MB`;
}

/** Of one core, so it may pass 100: "35.1 %". */
export function percent(value: number | null): string {
  return value === null ? NOT_MEASURED : `${tenthsText(value)} %`;
}

/** Share of a whole: "22 %", "0.4 %"; a dash when the whole is 0. */
export function share(part: number, whole: number): string {
  if (whole === 0) return NOT_MEASURED;
  const value = (part / whole) * 100;
  if (value > 0 && value < 0.05) return `< ${tenthsText(0.1)} %`;
  return value >= 10 || value === 0 ? `${wholeText(value)} %` : `${tenthsText(value)} %`;
}

/** "1 shard", "13 shards". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${fullCount(count)} ${count === 1 ? one : many}`;
}
