import { type Html, html } from '../../../protocol/http/page.js'

/** The message and the status of a page that is shown again. */
export interface ShownAgain {
  readonly message: string
  readonly status: number
  readonly retryAfterSeconds?: number | undefined
}

/** The message of a page that is shown again. */
export const alert = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html`<p role="alert" class="alert" id="message">${message}</p>\n`

/** The attribute of the focused field that makes a screen reader read the message. */
export const describedBy = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html` aria-describedby="message"`
