type Labels = Readonly<Record<string, string>>;
type MetricType = 'counter' | 'gauge';

interface Metric {
  readonly type: MetricType;
  readonly help: string;
  readonly values: Map<string, number>;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const escaped = value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
    return `${name}="${escaped}"`;
  });
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Figures of the process in Prometheus' text form. Labels come from closed sets, never from input. */
export class Metrics {
  readonly #metrics = new Map<string, Metric>();
  readonly #readers: (() => void)[] = [];

  /** Declares a counter or gauge, `bot_analytics_<name>`. */
  declare(name: string, type: MetricType, help: string): void {
    this.#metrics.set(name, { type, help, values: new Map() });
  }

  add(name: string, by = 1, labels: Labels = {}): void {
    const values = this.#metrics.get(name)?.values;
    const key = labelText(labels);
    values?.set(key, (values.get(key) ?? 0) + by);
  }

  set(name: string, value: number, labels: Labels = {}): void {
    this.#metrics.get(name)?.values.set(labelText(labels), value);
  }

  /** Runs before each rendering, to set gauges. */
  onRender(read: () => void): void {
    this.#readers.push(read);
  }

  render(): string {
    for (const read of this.#readers) read();
    let text = '';
    for (const [name, { type, help, values }] of this.#metrics) {
      const full = `bot_analytics_${name}`;
      text += `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n`;
      for (const [labels, value] of values) text += `${full}${labels} ${value}\n`;
    }
    return text;
  }
}
