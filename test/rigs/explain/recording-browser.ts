/** A page of a browser, as a person uses it. Elements are waited for. */
export interface DrivenPage {
  open(url: string): Promise<void>
  fill(selector: string, text: string): Promise<void>
  click(selector: string): Promise<void>
  waitFor(selector: string): Promise<void>
}

/** A request as a browser shows it that opened a recording. */
export interface ImportedRequest {
  readonly method: string
  readonly url: string
  readonly status: number
}

/** A browser that records what a person does in it, by its own DevTools. */
export interface RecordingBrowser {
  /** Lets a person without cookies use a page, and returns the recording that its DevTools save (HAR). */
  record(use: (page: DrivenPage) => Promise<void>): Promise<string>
  /** Returns the last recording as it is saved for other people: without cookies and Authorization headers. */
  sanitized?(): Promise<string>
  /** Opens a recording in the DevTools, and returns its requests as they list them. */
  open(har: string): Promise<readonly ImportedRequest[]>
  close(): Promise<void>
}
