import type { CsrfForm } from '../../../protocol/http/csrf.js'
import { bytes, type HttpResponse, mediaType, splitUrl, text } from '../../../protocol/http/message.js'
import { type Html, html } from '../../../protocol/http/page.js'
import type { Defences } from '../defences.js'

type ShowPage = Defences['showPage']

/** Makes a mode that changes pages, after the modes before it. Other responses stay as they are. */
const changing =
  (change: ShowPage) =>
  (showPage: ShowPage): ShowPage =>
  (request, response) => {
    const shown = showPage(request, response)
    return mediaType(shown) === 'text/html' ? change(request, shown) : shown
  }

/** Returns a page with other values of some headers. An undefined value removes the header. */
function withHeaders(
  page: HttpResponse,
  changed: Readonly<Record<string, (value: string) => string | undefined>>,
): HttpResponse {
  const headers = page.headers.flatMap(([name, value]) => {
    const change = changed[name.toLowerCase()]
    const other = change === undefined ? value : change(value)
    return other === undefined ? [] : [[name, other] as const]
  })
  return { ...page, headers }
}

/** Returns a page with more markup at its end. */
function withMarkup(page: HttpResponse, { markup }: Html): HttpResponse {
  return { ...page, body: bytes(text(page.body).replace('</main>', () => `${markup}</main>`)) }
}

/** Lets pages of other sites show the pages of this one in a frame. */
const unframed = changing((_request, page) =>
  withHeaders(page, {
    'x-frame-options': () => undefined,
    'content-security-policy': policy => policy.replace("; frame-ancestors 'none'", ''),
  }),
)

/**
 * Makes the mode `framable`: pages of other sites may show the pages of this one in a frame, and browsers send the cookies
 * of this server there too. A SameSite=Lax cookie stays out of such a frame, so that nobody would be logged in there.
 */
export const framable =
  (showPage: ShowPage): ShowPage =>
  (request, response) =>
    withHeaders(unframed(showPage)(request, response), {
      'set-cookie': cookie => cookie.replace('SameSite=Lax', 'SameSite=None'),
    })

/**
 * Makes the mode `referrer`: pages send their whole address to every site, and hold a picture and a link of another one.
 * @param outside address of the picture and of the link
 */
export function leaking(showPage: ShowPage, outside: string): ShowPage {
  const { origin } = splitUrl(outside)
  const picture = html`<p class="mark"><img src="${outside}" alt="" width="1" height="1"> <a href="${outside}">Who counts the visits of this page</a></p>\n`
  const leak = changing((_request, page) => {
    const changed = {
      'referrer-policy': () => 'unsafe-url',
      'content-security-policy': (policy: string) =>
        policy.replace('img-src data:', `img-src data: ${origin}`),
    }
    return withMarkup(withHeaders(page, changed), picture)
  })
  return leak(showPage)
}

/** The parameter that a page of the mode `no-mask` repeats. The authorization endpoint knows no such parameter. */
const REPEATED = 'campaign'

/** Longest value that is repeated, in characters. */
const MAX_REPEATED = 2000

const QUOTED = /<input type="hidden" name="csrf" value="([\w-]+)">/

/**
 * Repeats a parameter of the request beside the csrf value, and writes that value without quotes, as HTML allows. An
 * observer who has pages opened with guesses sees in their compressed length which guess continues `name=csrf value=`.
 */
export const repeating = changing(({ url }, page) => {
  const given = new URLSearchParams(splitUrl(url).query).get(REPEATED) ?? ''
  const value = given.slice(0, MAX_REPEATED)
  const body = text(page.body).replace(
    QUOTED,
    (_, csrf: string) => `<input type=hidden name=csrf value=${csrf}>`,
  )
  const unquoted = { ...page, body: bytes(body) }
  return value === '' ? unquoted : withMarkup(unquoted, html`<p class="mark">You came by ${value}</p>\n`)
})

/** A csrf value without a mask: the same value on every page of one browser and request. */
export const BARE: CsrfForm = {
  write: mac => Buffer.from(mac).toString('base64url'),
  read: value => (/^[\w-]{43}$/.test(value) ? Buffer.from(value, 'base64url') : undefined),
}
