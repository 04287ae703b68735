/** What was done to the transcripts of the last resume before they were fed back. Counts, unless it says so. */
export interface LoadReport {
  readonly expired: number;
  readonly trimmed: number;
  /** Characters (code points) that trimming kept out. */
  readonly savedChars: number;
  readonly apiErrors: number;
  readonly interrupts: number;
  readonly denials: number;
  readonly healed: number;
  readonly bridged: number;
  readonly revived: number;
}

export const EMPTY_REPORT: LoadReport = {
  expired: 0,
  trimmed: 0,
  savedChars: 0,
  apiErrors: 0,
  interrupts: 0,
  denials: 0,
  healed: 0,
  bridged: 0,
  revived: 0,
};

/** `report` with the counts of `more` added. */
export function addToReport(report: LoadReport, more: Partial<LoadReport>): LoadReport {
  return {
    expired: report.expired + (more.expired ?? 0),
    trimmed: report.trimmed + (more.trimmed ?? 0),
    savedChars: report.savedChars + (more.savedChars ?? 0),
    apiErrors: report.apiErrors + (more.apiErrors ?? 0),
    interrupts: report.interrupts + (more.interrupts ?? 0),
    denials: report.denials + (more.denials ?? 0),
    healed: report.healed + (more.healed ?? 0),
    bridged: report.bridged + (more.bridged ?? 0),
    revived: report.revived + (more.revived ?? 0),
  };
}
