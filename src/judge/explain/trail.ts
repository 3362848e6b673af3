import { readFields } from '../../protocol/http/form.js'
import { header, mediaType, splitUrl } from '../../protocol/http/message.js'
import {
  heldRequest,
  isArrival,
  isAuthorization,
  type MessageKind,
  type Recorded,
  STATIC_FILE,
} from './recorded.js'
import { siteOfUrl } from './site.js'
import { failureOnPage, hasPasswordField, type ServerWords, wordsOf } from './words.js'

/** The page that a client showed after its callback, as far as the recording goes. */
export interface Aftermath {
  readonly entry: number
  readonly path: string
  readonly status: number
  /**
   * `page`: a page of the application came. `restart`: the browser was sent to log in again. `error`: the application reports an error. `login`: it
   * shows its own login page. `open`: the recording ends at a redirect.
   */
  readonly end: 'page' | 'restart' | 'error' | 'login' | 'open'
  /** The words of an error. */
  readonly words?: ServerWords
  /** A call of the page to its own server that was answered with 401, and never otherwise. */
  refusedCall?: { readonly entry: number; readonly path: string }
}

/** The pages around a login. They are filled in while the recording is read. */
export interface Trail {
  /** The latest page of the server after the authorization request. */
  page?: Recorded
  aftermath?: Aftermath
  /** A call of a page that had got tokens, to an API of its site, that went without one and was answered with 401, and never otherwise. */
  bareCall?: { readonly entry: number; readonly url: string }
}

/** Most logins and callbacks that are followed at once, and most hosts of one login. */
const MAX_OPEN = 50
const MAX_HOSTS = 10

const originOf = (url: string): string => splitUrl(url).origin.toLowerCase()

const codeIn = (url: string): string => readFields(splitUrl(url).query).get('code') ?? ''

/** The absolute address that an answer redirects to; undefined for any other answer. */
function redirectOf({ exchange: { request, response } }: Recorded): string | undefined {
  if (response === undefined || response.status < 300 || response.status > 399) return undefined
  const to = header(response, 'location')
  return to === undefined || to === '' || !URL.canParse(to, request.url)
    ? undefined
    : new URL(to, request.url).href
}

/** True for an answer that a person saw as a page, or that a script of the page got as an error. */
function isShown({ exchange: { response }, fromPage }: Recorded): boolean {
  if (response === undefined || response.status === 0) return false
  if (fromPage) return response.status >= 400 && response.body !== ''
  return response.status >= 400 || /html|^$/.test(mediaType(response)) || /^\s*</.test(response.body)
}

/** The error in an address that a client sends its browser to: `/login?error=OAuthCallback`, `/auth/error`. */
function errorInUrl(url: string): ServerWords | undefined {
  const { path, query } = splitUrl(url)
  const fields = readFields(query)
  const [code, text] = [
    fields.get('error') ?? fields.get('error_code'),
    fields.get('error_description') ?? fields.get('message'),
  ]
  const named = code !== undefined || /(?:^|[?&])error(?:[&=]|$)/.test(query)
  if (
    !named &&
    !/(?:^|[/_-])(?:error|failure|failed|access-?denied|forbidden|unauthori[sz]ed)(?:[/_.-]|$)/i.test(path)
  )
    return undefined
  return { code: code || `${path}${named ? '?error' : ''}`, ...(text !== undefined && { text }) }
}

const LOGIN_PATH = /(?:^|[/_-])(?:log-?in|sign-?in)(?:[/_.-]|$)/i

/** How a page after a callback ends the login. */
function endOf(recorded: Recorded): Pick<Aftermath, 'end' | 'words'> {
  const { request, response } = recorded.exchange
  const { status = 0, body = '' } = response ?? {}
  const inUrl = errorInUrl(request.url)
  const said = failureOnPage(body) ?? (status >= 400 ? wordsOf(response) : undefined)
  if (inUrl !== undefined) return { end: 'error', words: said?.text ? { ...inUrl, text: said.text } : inUrl }
  if (status === 401 || status === 403 || status >= 500) return { end: 'error', ...(said && { words: said }) }
  if (status >= 400) return { end: 'open', ...(said && { words: said }) }
  if (LOGIN_PATH.test(splitUrl(request.url).path) || hasPasswordField(body)) return { end: 'login' }
  return { end: 'page' }
}

/** Follows the pages of a recording, in its order. */
export interface Follower<Followed extends Trail> {
  readonly see: (recorded: Recorded, kind: MessageKind | undefined, trail: Followed) => readonly Followed[]
}

/** Creates a follower. `see` returns the trails of the callbacks whose next page the exchange is. */
export function createFollower<Followed extends Trail>(): Follower<Followed> {
  let logins: { readonly hosts: Set<string>; readonly trail: Trail }[] = []
  let landed: {
    origin: string
    readonly place: string
    readonly code: string
    readonly trail: Followed
    isOver: boolean
  }[] = []

  let holders: { readonly origin: string; readonly trail: Trail }[] = []

  /** Notes what a page does that got tokens by a call of its own. */
  function seePage({ exchange: { request, response }, entry }: Recorded): void {
    const origin = header(request, 'origin')?.toLowerCase()
    const holder = holders.findLast(each => each.origin === origin)
    const { origin: to, path } = splitUrl(request.url)
    const url = `${to}${path}`
    if (holder === undefined) return
    const { status = 0 } = response ?? {}
    const { trail } = holder
    const isBare = header(request, 'authorization') === undefined
    if (isBare && status === 401 && siteOfUrl(url) === siteOfUrl(holder.origin)) {
      trail.bareCall ??= { entry, url }
    } else if (status > 0 && status < 400 && trail.bareCall?.url === url) delete trail.bareCall
  }

  function seeServer(recorded: Recorded): void {
    const origin = originOf(recorded.exchange.request.url)
    const login = logins.findLast(({ hosts }) => hosts.has(origin))
    if (login === undefined) return
    const to = redirectOf(recorded)
    if (to !== undefined && login.hosts.size < MAX_HOSTS) login.hosts.add(originOf(to))
    if (isShown(recorded)) login.trail.page = recorded
  }

  function seeClient(recorded: Recorded, kind: MessageKind | undefined): Followed[] {
    const { request, response } = recorded.exchange
    const { origin, path } = splitUrl(request.url)
    const place = { entry: recorded.entry, path, status: response?.status ?? 0 }
    const site = originOf(request.url)
    const here = landed.filter(each => each.origin === site)
    if (recorded.fromPage) {
      for (const { trail } of here) if (trail.aftermath) judgeCall(trail.aftermath, place)
      return []
    }
    const open = here.filter(each => !each.isOver)
    const code = codeIn(request.url)
    const to = redirectOf(recorded)
    for (const each of open) {
      if (isArrival(kind)) {
        // The same callback again is a page that was loaded twice.
        if (code === each.code && code !== '') continue
        // A server that let its person log in elsewhere goes on to the client. The next login at one client says nothing about the first.
        if (each.place !== origin + path) each.trail.aftermath = { ...place, end: 'page' }
      } else if (kind === 'authorization_request' || (to !== undefined && isStart(to))) {
        each.trail.aftermath = { ...place, end: 'restart' }
      } else if (to !== undefined) {
        each.trail.aftermath = { ...place, end: 'open' }
        each.origin = originOf(to)
        continue
      } else if (isShown(recorded) || response?.status === 304) {
        each.trail.aftermath = { ...place, ...endOf(recorded) }
      } else continue
      each.isOver = true
    }
    return open.map(({ trail }) => trail)
  }

  return {
    see(recorded, kind, trail) {
      const { request, response } = recorded.exchange
      const { origin, path } = splitUrl(request.url)
      if (request.method === 'OPTIONS' || STATIC_FILE.test(path) || response === undefined) return []
      const next = seeClient(recorded, kind)
      if (recorded.fromPage && kind === 'token_request') {
        const origin = header(request, 'origin')?.toLowerCase() ?? ''
        holders = [...holders, { origin, trail }].slice(-MAX_OPEN)
      } else if (recorded.fromPage) seePage(recorded)
      if (kind === 'authorization_request' || kind === 'saml_request') {
        const to = redirectOf(recorded)
        const hosts = new Set([request.url, ...(to === undefined ? [] : [to])].map(originOf))
        logins = [...logins, { hosts, trail }].slice(-MAX_OPEN)
      } else if (kind === undefined) seeServer(recorded)
      if (isArrival(kind)) {
        const to = redirectOf(recorded)
        const isAgain = to !== undefined && isStart(to)
        const inUrl = to === undefined ? undefined : errorInUrl(to)
        const place = { entry: recorded.entry, path, status: response.status }
        if (isAgain) trail.aftermath = { ...place, end: 'restart' }
        else if (inUrl !== undefined) trail.aftermath = { ...place, end: 'error', words: inUrl }
        const callback = { place: origin + path, code: codeIn(request.url), trail, isOver: isAgain }
        landed = [...landed, { origin: originOf(to ?? request.url), ...callback }].slice(-MAX_OPEN)
      }
      return next
    },
  }
}

const isStart = (url: string): boolean =>
  isAuthorization(readFields(splitUrl(url).query), splitUrl(url).path) && heldRequest(url) === undefined

/** Remembers the first call of a page that its server refused, until the same call is answered. */
function judgeCall(
  aftermath: Aftermath,
  { entry, path, status }: Pick<Aftermath, 'entry' | 'path' | 'status'>,
): void {
  if (status === 401) aftermath.refusedCall ??= { entry, path }
  else if (status > 0 && status < 400 && aftermath.refusedCall?.path === path) delete aftermath.refusedCall
}
