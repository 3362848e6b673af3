import { bounded } from '../../../protocol/events.js'
import type { CsrfForm } from '../../../protocol/http/csrf.js'
import { bytes, type HttpResponse, mediaType, splitUrl, text } from '../../../protocol/http/message.js'
import { type Html, html } from '../../../protocol/http/page.js'
import {
  type matchRedirectUri as Match,
  matchRedirectUri,
  parseLoopback,
  type RedirectUriRules,
  redirectUriProblem,
  type VerifiedRedirectUri,
} from '../../../protocol/oauth/redirect-uri.js'
import type { WeakNameAt } from '../../../protocol/rules/weak-modes.js'
import { childrenOf, elementsOf, parseXml, type XmlElement } from '../../../protocol/saml/xml.js'
import { checkShape, DSIG, signedBytes, XmlSignatureError } from '../../../protocol/saml/xml-signature.js'
import { quote } from '../../../protocol/values.js'
import type { SignedSaml } from '../assertions/saml.js'
import { type JudgeDocument, judgeDocument } from '../client-documents/document-rules.js'
import { type Defences, STRICT } from '../defences.js'
import type { devicePage } from '../pages/device-pages.js'
import { page } from '../pages/page.js'
import { readChallenge } from '../parameters/challenge.js'
import { namedResources as namesOf, type readResources } from '../parameters/resources.js'
import type { RegistrationRules } from '../registration/client-metadata.js'

export interface WeakSettings {
  /** Address of the picture and the link that the mode `referrer` puts on pages. */
  readonly outside: string
}

type Name = WeakNameAt<'authorization-server'>

/** The members that each weak mode puts in the place of those before it. */
const replacedBy = ({
  outside,
}: WeakSettings): Readonly<Record<Name, (before: Defences) => Partial<Defences>>> => ({
  'open-registration': () => ({ registrationRules: OPEN_REGISTRATION }),
  // The other half of the mode, the addresses, is the lab's: this server fetches nothing itself.
  'fetch-anything': () => ({ judgeDocument: quoting }),
  'redirect-prefix': () => ({ matchRedirectUri: matchPrefix }),
  'redirect-any': () => ({ matchRedirectUri: matchAny }),
  'code-reuse': () => ({ spendCode: () => {} }),
  'code-not-bound': () => ({ isCodeOf: () => true }),
  'id-jag-not-bound': () => ({ isGrantOf: () => true }),
  'plain-downgrade': ({ describe }) => ({
    readChallenge: readAnyChallenge,
    describe: metadata => ({ ...describe(metadata), code_challenge_methods_supported: ['S256', 'plain'] }),
  }),
  'pkce-ignored': ({ describe }) => ({
    readChallenge: ignoreChallenge,
    checkVerifier: () => {},
    describe: metadata => {
      const { code_challenge_methods_supported: _, ...others } = describe(metadata)
      return others
    },
  }),
  'no-iss': ({ describe }) => ({
    namedIssuer: () => undefined,
    describe: metadata => ({
      ...describe(metadata),
      authorization_response_iss_parameter_supported: false,
    }),
  }),
  'any-resource': () => ({ readResources: everyResource }),
  'no-rotation': () => ({ renewRefreshToken: (_, { token }) => token }),
  'device-no-warning': () => ({ devicePage: bareDevicePage }),
  'consent-skipped': () => ({ decideConsent: () => ({ kind: 'granted', source: 'weak' }) }),
  framable: ({ showPage }) => ({ showPage: framable(showPage) }),
  referrer: ({ showPage }) => ({ showPage: leaking(showPage, outside) }),
  'saml-wrapping': () => ({ signedSaml: rootBesideSignature }),
  'no-mask': ({ showPage }) => ({ csrfForm: BARE, showPage: repeating(showPage) }),
})

/** Returns the defences of a server with these weak modes, in the order of their table. */
export function weakDefences(names: readonly Name[], settings: WeakSettings): Defences {
  const modes = replacedBy(settings)
  let defences = STRICT
  for (const name of names) defences = { ...defences, ...modes[name](defences) }
  return defences
}

/**
 * The page of a device as a plain login: it says neither that a device asks, nor which one, nor for what, and does not show
 * the code. The person who followed a stranger's link sees nothing strange.
 */
const bareDevicePage: typeof devicePage = ({ request, csrf, message, status = 200 }, headers) =>
  page(
    status,
    'Log in',
    html`<h1>Log in</h1>
${message === undefined ? undefined : html`<p role="alert" class="alert" id="message">${message}</p>\n`}<form method="post" action="/device">
<label for="username">Username</label>
<input type="text" id="username" name="username" required autofocus autocomplete="username" autocapitalize="none" spellcheck="false">
<label for="password">Password</label>
<input type="password" id="password" name="password" required autocomplete="current-password">
<input type="hidden" name="user_code" value="${request.userCode}">
<input type="hidden" name="csrf" value="${csrf}">
<button type="submit">Log in</button>
<button name="cancel" value="yes" formnovalidate>Cancel</button>
</form>`,
    { headers },
  )

/** Judges a document as strictly as ever, and shows a stranger what it refused. */
const quoting: JudgeDocument = (url, answer) => {
  const judged = judgeDocument(url, answer)
  return 'problem' in judged
    ? { rule: judged.rule, problem: `${judged.problem}. The answer was: ${bounded(answer.body)}` }
    : judged
}

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
const framable =
  (showPage: ShowPage): ShowPage =>
  (request, response) =>
    withHeaders(unframed(showPage)(request, response), {
      'set-cookie': cookie => cookie.replace('SameSite=Lax', 'SameSite=None'),
    })

/**
 * Makes the mode `referrer`: pages send their whole address to every site, and hold a picture and a link of another one.
 * @param outside address of the picture and of the link
 */
function leaking(showPage: ShowPage, outside: string): ShowPage {
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
const repeating = changing(({ url }, page) => {
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
const BARE: CsrfForm = {
  write: mac => Buffer.from(mac).toString('base64url'),
  read: value => (/^[\w-]{43}$/.test(value) ? Buffer.from(value, 'base64url') : undefined),
}

/** Reads a challenge with either method, whatever the client is registered for. A request without a method means plain. */
const readAnyChallenge: typeof readChallenge = (values, client) =>
  readChallenge(values, { ...client, code_challenge_methods: ['S256', 'plain'] })

/** Ignores the challenge, as a server does that has never heard of PKCE (RFC 6749 §3.1). */
const ignoreChallenge: typeof readChallenge = () => undefined

/** True for an address that a browser may be sent to at all: an address of a script is refused in every mode. */
const isAddress = (uri: string): uri is VerifiedRedirectUri => redirectUriProblem(uri) === undefined

/** Accepts any address. Only a request without one is looked up among the registered ones. */
const matchAny: typeof Match = (requested, registered, rules) =>
  requested !== undefined && isAddress(requested) ? requested : matchRedirectUri(requested, registered, rules)

/** True for an address that begins like a registered one. The port of a loopback address counts as little as ever. */
function begins(requested: string, registered: string, rules: RedirectUriRules | undefined): boolean {
  if (requested.startsWith(registered)) return true
  const [sent, known] = [parseLoopback(requested, rules), parseLoopback(registered, rules)]
  return sent !== undefined && sent.base === known?.base && sent.rest.startsWith(known.rest)
}

/** Accepts an address that begins like a registered one. */
const matchPrefix: typeof Match = (requested, registered, rules) =>
  requested !== undefined && isAddress(requested) && registered.some(each => begins(requested, each, rules))
    ? requested
    : matchRedirectUri(requested, registered, rules)

/**
 * The rules of a server that treats a registration like an entry that its operator wrote: any address that a browser may be
 * sent to, of whatever application_type, and no mark on pages.
 */
const OPEN_REGISTRATION: RegistrationRules = {
  redirectFault(uri) {
    const fault = redirectUriProblem(uri)
    return fault && { problem: `${quote(uri)}: ${fault.problem}`, rule: fault.rule }
  },
  introduced: undefined,
}

/**
 * Ignores the value of `resource`: a token for one resource is for all resources of the server, as a server makes them that has
 * never heard of RFC 8707. Requests without the parameter are answered as always.
 */
const everyResource: typeof readResources = (
  pairs,
  { issuer, resources, protectedResources, namedResources },
) => {
  if (namesOf(pairs).length === 0) return []
  const registered = resources === 'any' ? [] : resources
  return [...new Set([issuer, ...protectedResources(), ...(namedResources?.() ?? []), ...registered])]
}

/** Returns a copy of an element without one of its descendants. */
function without(element: XmlElement, dropped: XmlElement): XmlElement {
  const children = element.children.filter(each => each !== dropped).map(each => without(each, dropped))
  return { ...element, children }
}

/**
 * Verifies the first signature in the document, of whichever element, and returns the root element, which nobody may have
 * signed (signature wrapping). The signature itself is verified as strictly as ever.
 */
const rootBesideSignature: SignedSaml = async (xml, key) => {
  const root = await parseXml(xml)
  const signed = [...elementsOf(root)].find(each => childrenOf(each, DSIG, 'Signature').length > 0)
  if (signed === undefined) throw new XmlSignatureError('no element has a signature')
  await signedBytes(xml, checkShape(signed), key)
  return without(root, signed)
}
