import {
  LIMITS,
  REJECT_CODES,
  WARNING_CODES,
  type IngestWarning,
  type RejectCode,
  type RejectedEvent,
  type WarningCode,
} from '@bot-analytics/protocol';

/** What was refused or changed in one batch: the answer's lists and the owner's counts. */
export class Report {
  readonly rejected: RejectedEvent[] = [];
  rejectedCount = 0;
  readonly rejectedByCode = new Map<RejectCode, number>();
  readonly warnings = new Map<WarningCode, number>();

  /** Notes a refused event; the first 100 are listed. */
  reject(rejection: Omit<RejectedEvent, 'detail'> & { readonly detail?: string }): void {
    const { code } = rejection;
    this.rejectedCount++;
    this.rejectedByCode.set(code, (this.rejectedByCode.get(code) ?? 0) + 1);
    if (this.rejected.length >= LIMITS.rejectedListedMax) return;
    this.rejected.push({ detail: REJECT_CODES[code], ...rejection });
  }

  warn(code: WarningCode, count = 1): void {
    this.warnings.set(code, (this.warnings.get(code) ?? 0) + count);
  }

  warningList(): IngestWarning[] {
    return [...this.warnings].map(([code, count]) => ({
      code,
      detail: WARNING_CODES[code],
      count,
    }));
  }
}
