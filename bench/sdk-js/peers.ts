/** The parts of the other SDKs that the benchmark uses; they are installed beside, not here. */
export interface PostHogModule {
  readonly PostHog: new (
    key: string,
    options: Readonly<Record<string, unknown>>,
  ) => {
    capture(event: Readonly<Record<string, unknown>>): void;
    flush(): Promise<void>;
  };
}

export interface SegmentModule {
  readonly Analytics: new (options: Readonly<Record<string, unknown>>) => {
    track(event: Readonly<Record<string, unknown>>): void;
    flush(options: Readonly<Record<string, unknown>>): Promise<void>;
  };
}

export interface SentryModule {
  init(options: Readonly<Record<string, unknown>>): void;
  captureEvent(event: Readonly<Record<string, unknown>>): void;
  flush(timeoutMs: number): Promise<boolean>;
}
