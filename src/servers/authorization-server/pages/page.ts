import type { HeaderList, HttpRequest, HttpResponse } from '../../../protocol/http/message.js'
import { createPage, type Html, html } from '../../../protocol/http/page.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Context, Publish } from '../events.js'
import { FormTooLarge } from '../parameters/form-body.js'

/** Makes a page of the authorization server. */
export const page = createPage('oauth-lab authorization server')

/** The message and the status of a page that is shown again. */
export interface ShownAgain {
  readonly message: string
  readonly status: number
  readonly retryAfterSeconds?: number | undefined
}

export const alert = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html`<p role="alert" class="alert" id="message">${message}</p>\n`

/** The attribute of the focused field. A screen reader skips an alert that no focused field refers to. */
export const describedBy = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html` aria-describedby="message"`

/** The header Retry-After with a pause in seconds (RFC 9110 §10.2.3). Empty without a pause. */
export function retryAfter(seconds: number | undefined): HeaderList {
  return seconds === undefined ? [] : [['retry-after', String(seconds)]]
}

/** Returns the scheme and the host of an address, which identify its owner. */
export function returnsTo(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return host === '' ? protocol : `${protocol}//${host}`
}

/** Describes the receiver of an answer for a person: a program on this computer, an application, or a web site. */
export function receiverOf(redirectUri: string): string {
  const { protocol, hostname } = new URL(redirectUri)
  const place = returnsTo(redirectUri)
  if (protocol !== 'https:' && protocol !== 'http:') {
    return `the application that this computer opens for ${place}`
  }
  const onThisComputer = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return onThisComputer ? `the program on this computer that answers at ${place}` : place
}

/** Makes a handler of a page that shows its OAuth errors to the person. */
export const shownErrors =
  (handler: (http: HttpRequest, publish: Publish) => HttpResponse | Promise<HttpResponse>) =>
  async (http: HttpRequest, { publish }: Context): Promise<HttpResponse> => {
    try {
      return await handler(http, publish)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      return errorPage(error, error instanceof FormTooLarge ? 413 : 400)
    }
  }

/** Returns the error code and the rule, as entries of a list. */
export function errorFacts({ code, rule }: OAuthError): Html {
  return html`<dt>Error</dt><dd><code>${code}</code></dd>
<dt>Rule</dt><dd>${rule}</dd>
`
}

/** The frame of an error page. The person is not sent back, and gets no link (RFC 6749 §4.1.2.1). */
export function refusedPage(status: number, content: Html): HttpResponse {
  return page(
    status,
    'Request refused',
    html`<h1>This request was refused</h1>
${content}
<p>You were not sent back to the application that sent you here. Return to it yourself and try again. If this happens again, show this page to the people who run the application.</p>`,
  )
}

/** The error page for a person. */
export function errorPage(error: OAuthError, status = 400): HttpResponse {
  return refusedPage(
    status,
    html`<p role="alert" class="alert">${error.description}</p>
<dl>
${errorFacts(error)}</dl>`,
  )
}

/** The page for an internal error. */
export function failurePage(): HttpResponse {
  return page(
    500,
    'Server error',
    html`<h1>Something went wrong</h1>
<p role="alert" class="alert">The server failed to answer this request (server_error). This is not your fault. Try again.</p>`,
  )
}

/** The refusal of a decision whose page was made for another login, browser or request. */
export const STALE_DECISION = {
  reason: 'csrf',
  description: 'This page is out of date, or belongs to another login, browser or request. Decide again.',
  rule: 'RFC 6749 §10.12',
} as const
