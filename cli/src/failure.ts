/** Something the user can mend; its message is one sentence and is all that is printed. */
export class Failure extends Error {
  /** 1: it did not work; 2: the command line is not understood. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
