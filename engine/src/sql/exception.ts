/** ClickHouse's error codes that this process raises itself; the names are ClickHouse's own. */
const RAISED = {
  ABORTED: 236,
  NOT_IMPLEMENTED: 48,
  SYNTAX_ERROR: 62,
  BAD_ARGUMENTS: 36,
  UNKNOWN_SETTING: 115,
  READONLY: 164,
  TOO_MANY_SIMULTANEOUS_QUERIES: 202,
  INTO_OUTFILE_NOT_ALLOWED: 358,
  SETTING_CONSTRAINT_VIOLATION: 452,
  UNKNOWN_QUERY_PARAMETER: 456,
  BAD_REQUEST_PARAMETER: 408,
  QUERY_IS_TOO_LARGE: 229,
  UNKNOWN_EXCEPTION: 1002,
} as const satisfies Record<string, number>;

export type RaisedName = keyof typeof RAISED;

/** An error in ClickHouse's own form; `message` is the bare reason. */
export class EngineException extends Error {
  readonly code: number;
  readonly codeName: string;
  constructor(code: number, codeName: string, message: string) {
    super(message);
    this.name = 'EngineException';
    this.code = code;
    this.codeName = codeName;
  }
}

export function raise(name: RaisedName, message: string): EngineException {
  return new EngineException(RAISED[name], name, message);
}

const CODE_PREFIX = /^Code: (\d+)\. DB::Exception: /;
const NAME_SUFFIX = /\s*\(([A-Z][A-Z0-9_]{2,})\)\s*$/;
const VERSION_SUFFIX = /\s*\(version [^()]*\)\.?\s*$/;

/** chDB's message text → exception. chDB repeats prefix and suffix once per layer; one of each stays. */
export function fromChdb(text: string): EngineException {
  let rest = text.trim();
  let code: number = RAISED.UNKNOWN_EXCEPTION;
  let codeName = 'UNKNOWN_EXCEPTION';
  for (let match = CODE_PREFIX.exec(rest); match !== null; match = CODE_PREFIX.exec(rest)) {
    code = Number(match[1]);
    rest = rest.slice(match[0].length);
  }
  for (;;) {
    const name = NAME_SUFFIX.exec(rest);
    const suffix = name ?? VERSION_SUFFIX.exec(rest);
    if (suffix === null) break;
    if (name?.[1] !== undefined) codeName = name[1];
    rest = rest.slice(0, suffix.index);
  }
  return new EngineException(code, codeName, rest);
}

/** The body of an error answer. */
export function exceptionText(exception: EngineException, version: string): string {
  const { code, codeName, message } = exception;
  const stop = /[.!?]$/.test(message) ? '' : '.';
  return `Code: ${code}. DB::Exception: ${message}${stop} (${codeName}) (version ${version})\n`;
}

/** What ClickHouse's HTTP interface answers per code; every other code is 500. */
const STATUS_BY_CODE = new Map<number, number>([
  ...[6, 25, 26, 27, 33, 36, 38, 41, 53, 62, 72, 117, 376, 408, 441, 456, 457].map(
    (code): [number, number] => [code, 400],
  ),
  ...[164, 358, 452, 497].map((code): [number, number] => [code, 403]),
  ...[46, 47, 50, 56, 60, 63, 73, 81, 115].map((code): [number, number] => [code, 404]),
  [159, 408],
  [229, 413],
  [202, 429],
  [48, 501],
  [236, 503],
]);

export function httpStatus(exception: EngineException): number {
  return STATUS_BY_CODE.get(exception.code) ?? 500;
}
