import { readSetCookie, type SetCookie } from '../../../protocol/http/message.js'
import { parseChallenges } from '../../../protocol/oauth/bearer.js'
import { parseBasic } from '../../../protocol/oauth/client-auth.js'
import { SamlFormatError } from '../../../protocol/saml/encoding.js'
import { examineSaml } from '../../../protocol/saml/examine.js'
import { notAToken, otherLifetime, readTokenAgain } from '../../../protocol/second-reading.js'
import { decodeJweHeader, decodeJwt, isEncrypted, TokenFormatError } from '../../../protocol/tokens/decode.js'
import { explainEncrypted, explainToken, kindOf, lintNow } from '../../../protocol/tokens/explain.js'
import { KeyFormatError, readGivenKeys } from '../../../protocol/tokens/given-keys.js'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'
import { errorByCode } from '../known-errors.js'
import { errorByMessage } from '../known-messages.js'
import { jsonOf } from '../message.js'
import { MAX_COOKIE_SIZE } from '../surroundings.js'
import { wordsOf } from '../words.js'
import { repairJson } from './clean.js'
import {
  about,
  explainError,
  type Fragment,
  type FragmentFinding,
  part,
  present,
  type Reader,
} from './fragment.js'

const ofKeys = (keys: readonly unknown[], set: boolean): Fragment => {
  const isPrivate = (key: JsonObject) => ['d', 'k'].some(name => name in key)
  const objects = keys.filter(isJsonObject)
  const leaks = objects.some(isPrivate)
  return {
    what: set ? 'jwks' : 'jwk',
    title: set ? 'a JWK Set: the published keys of a server or client' : 'a key (JWK)',
    parts: objects.map((key, i) =>
      part(
        `key ${i + 1}`,
        [key.kty, key.crv, key.alg, key.use].filter(Boolean).join(' '),
        `kid ${String(key.kid ?? 'missing')}${isPrivate(key) ? ', private' : ''}`,
      ),
    ),
    findings: present(
      objects.length === 0 && about('fault', 'no-keys', 'RFC 7517 §5', 'the set has no keys'),
      leaks &&
        about(
          set ? 'fault' : 'remark',
          'private-key',
          'RFC 7517 §9.2',
          'a private key, or a shared secret, stands in it',
          'publish the public half:  oauth-lab jwk public FILE',
        ),
      set &&
        objects.length > 1 &&
        objects.some(key => key.kid === undefined) &&
        about('weakness', 'kid-missing', 'RFC 7517 §4.5', 'a key has no kid, so a reader has to try all'),
    ),
  }
}

/** Explains a JSON object: keys, metadata, a token answer, an error. */
export function readObject(value: JsonObject, text: string): Fragment | undefined {
  const parts = Object.entries(value).map(([name, each]) => part(name, each))
  if (Array.isArray(value.keys)) return ofKeys(value.keys, true)
  if (typeof value.kty === 'string') return ofKeys([value], false)
  if (
    typeof value.issuer === 'string' &&
    Object.keys(value).some(name => /_endpoint$|^jwks_uri$/.test(name))
  ) {
    const plain = /^https:|^http:\/\/(?:localhost|127\.)/.test(value.issuer)
    const findings = present(
      !plain && about('fault', 'issuer-plain-http', 'RFC 8414 §2', 'the issuer is no https address'),
      /[?#]/.test(value.issuer) &&
        about('fault', 'issuer-form', 'RFC 8414 §2', 'the issuer has a query or a fragment'),
    )
    return {
      what: 'discovery',
      title: 'the metadata of an authorization server',
      parts,
      findings,
      next: `oauth-lab discover ${value.issuer}`,
    }
  }
  if (['access_token', 'id_token'].some(name => typeof value[name] === 'string')) {
    const lifetime = Number(value.expires_in ?? 0)
    const unit = Number.isFinite(lifetime) ? otherLifetime(lifetime) : undefined
    const findings = present(
      typeof value.token_type !== 'string' &&
        about('fault', 'token-type-missing', 'RFC 6749 §5.1', 'token_type is missing'),
      typeof value.expires_in === 'string' &&
        about('remark', 'expires-in-text', 'RFC 6749 §5.1', 'expires_in is a text; it is a number in JSON'),
      unit !== undefined && about('weakness', 'expires-in-unit', 'RFC 6749 §5.1', `expires_in: ${unit}`),
    )
    return {
      what: 'token_answer',
      title: 'the answer of a token endpoint',
      parts,
      findings,
      next: 'oauth-lab jwt decode TOKEN',
    }
  }
  if (typeof value.device_code === 'string')
    return { what: 'device_answer', title: 'the answer to a device that begins a login', parts, findings: [] }
  if (typeof value.active === 'boolean')
    return {
      what: 'introspection',
      title: 'the answer of an introspection endpoint',
      parts,
      findings: present(
        !value.active &&
          about(
            'fault',
            'inactive',
            'RFC 7662 §2.2',
            'the server does not accept the token: it expired, was revoked, or is not of this server',
          ),
      ),
    }
  const claims = readClaims(value)
  if (claims) return claims
  const words = isErrorLike(value) ? wordsOf({ status: 400, headers: [], body: text }) : undefined
  return words && explainError(words, { what: 'token_error', title: 'an error answer in JSON', parts })
}

/** True for a JSON value with a member about an error, at any of its first levels, or with a sentence that is known. */
export function isErrorLike(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') {
    if (depth > 0 && /^\s*[[{]/.test(value)) return /"(?:error|errors)"/.test(value)
    return (
      depth > 0 &&
      (errorByMessage(value) !== undefined ||
        /^(?:unauthori[sz]ed|forbidden|access (?:is )?denied|invalid token)$/i.test(value))
    )
  }
  if (depth > 3 || typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, each]) =>
      (/err(?:or|ors|code|msg)?$|^error|fault|exception|problem/i.test(name) &&
        each !== null &&
        each !== false &&
        each !== '') ||
      (/^(?:success|ok)$/.test(name) && each === false) ||
      (/^(?:status|statusCode|code)$/.test(name) && typeof each === 'number' && each >= 400 && each < 600) ||
      (name === 'code' && typeof each === 'string' && errorByCode(each) !== undefined) ||
      isErrorLike(each, depth + 1),
  )
}

/** Claims and headers of a token, as a page that decodes tokens shows them. */
function readClaims(value: JsonObject): Fragment | undefined {
  const has = (...names: readonly string[]) => names.filter(name => name in value).length
  const isHeader = typeof value.alg === 'string' && has('kid', 'typ', 'enc', 'x5t', 'jku') > 0
  if (!isHeader && has('iss', 'sub', 'aud', 'exp', 'iat', 'nbf') < 3) return undefined
  const [header, claims] = isHeader ? [value, {}] : [{ alg: 'RS256' }, value]
  const explained = explainToken({ header, claims, parts: ['', '', ''] })
  const lint = isHeader
    ? []
    : [...explained.lint, ...lintNow(claims, { now: Date.now(), unit: explained.unit })]
  return {
    what: isHeader ? 'jwt_header' : 'jwt_claims',
    title: isHeader ? 'the header of a token (JWT)' : 'the claims of a token (JWT)',
    parts: (isHeader ? explained.header : explained.claims).map(ofMember),
    findings: lint.map(ofLint),
  }
}

type Explained = ReturnType<typeof explainToken>

const ofMember = ({ name, value, meaning, time }: Explained['claims'][number]) =>
  part(name, value, [meaning, time].filter(Boolean).join(': '))

const ofLint = ({ name, text: said, rule }: Explained['lint'][number]) =>
  about(FAULTS.has(name) ? 'fault' : 'remark', name.replaceAll('_', '-'), rule, said)

const FAULTS = new Set(['expired', 'not_yet_valid', 'alg_none', 'date_text', 'milliseconds'])

/** Explains a JWT or JWE, also in another form. */
export const readToken: Reader = text => {
  const word = text.replace(/^(?:authorization:\s*)?(?:bearer|dpop)\s+/i, '').replace(/^(["'])(.*)\1$/s, '$2')
  const again = /^[\w-]+(?:\.[\w-]*){2,4}$/.test(word)
    ? undefined
    : /^[\w+/=%."'\s-]{40,}$/.test(word)
      ? readTokenAgain(word)
      : undefined
  const token = again?.content ?? word
  if (/^eyJ[\w-]{10,}(?:\.[\w-]*)?(?:…|\.\.\.)?$/.test(token)) return readCutToken(token)
  if (!/^eyJ[\w-]*(?:\.[\w-]*){2,4}(?:~.*)?$/s.test(token)) {
    const instead = /^eyJ|^authorization:|^bearer\s/i.test(text) ? notAToken(word) : undefined
    return instead === undefined ? undefined : unreadable(instead)
  }
  try {
    if (isEncrypted(token)) {
      const header = decodeJweHeader(token)
      const parts = explainEncrypted(header).map(({ name, value, meaning }) => part(name, value, meaning))
      return {
        what: 'jwe',
        title: 'an encrypted token (JWE): only the holder of the key can read it',
        parts,
        findings: [],
        next: 'oauth-lab jwt decrypt TOKEN --key FILE',
      }
    }
    const jwt = decodeJwt(token.split('~', 1)[0]!)
    const explained = explainToken(jwt)
    const kind = kindOf(jwt)
    const lint = [...explained.lint, ...lintNow(jwt.claims, { now: Date.now(), unit: explained.unit })]
    return {
      what: 'jwt',
      title: `a signed token (JWT)${kind}; its signature was not verified${again ? `; ${again.remark}` : ''}`,
      parts: [...explained.header, ...explained.claims].map(ofMember),
      findings: lint.map(ofLint),
      next: 'oauth-lab jwt verify TOKEN --issuer URL',
    }
  } catch (error) {
    if (!(error instanceof TokenFormatError)) throw error
    return unreadable(error.message)
  }
}

const unreadable = (problem: string): Fragment => ({
  what: 'jwt',
  title: 'a token that cannot be read',
  parts: [],
  findings: [about('fault', 'token-form', 'RFC 7519 §7.2', problem)],
})

/** A text that is no key in the form that programs read. */
interface KeyProblem {
  readonly problem: string
  /** True where a key stands in it all the same. */
  readonly holdsKey: boolean
}

/** Returns the problem of a text as a key; undefined for a key as programs read it. */
function keyProblem(text: string): KeyProblem | undefined {
  try {
    const { remark } = readGivenKeys(text)
    return remark === undefined ? undefined : { problem: remark, holdsKey: true }
  } catch (error) {
    if (!(error instanceof KeyFormatError)) throw error
    return { problem: error.message, holdsKey: false }
  }
}

const ofKey = ({ problem }: KeyProblem): FragmentFinding =>
  about(
    'fault',
    /line ends/.test(problem) ? 'line-ends' : 'key-form',
    'RFC 7517 §9.2',
    problem,
    'let oauth-lab jwk convert FILE write it as programs read it',
  )

/** Explains a key in another form than PEM and JWK: base64, the file of a service account, a map of certificates. */
export const readKey: Reader = text => {
  const found = keyProblem(text)
  // People take the key of an SSH client for one that signs tokens.
  if (found === undefined || !(found.holdsKey || /^(?:ssh-|ecdsa-sha2-)/.test(text))) return undefined
  return {
    what: 'key',
    title: 'a key in another form than PEM and JWK',
    parts: [],
    findings: [ofKey(found)],
    next: 'oauth-lab jwk convert FILE',
  }
}

/** Explains a token that was cut off before its signature; undefined for any other text. */
function readCutToken(token: string): Fragment | undefined {
  const [header, claims] = token.split('.').map(each => {
    const text = Buffer.from(each, 'base64url').toString('utf8')
    return jsonOf(text) ?? repairJson(text)
  })
  if (!isJsonObject(header) || typeof header.alg !== 'string') return undefined
  const shown = { ...header, ...(isJsonObject(claims) && claims) }
  return {
    what: 'jwt',
    title: 'a token (JWT) that is cut off',
    parts: Object.entries(shown).map(([name, value]) => part(name, value)),
    findings: [
      about(
        'fault',
        'cut-off',
        'RFC 7519 §7.2',
        'the token is cut off: it has not its three parts',
        'copy the whole of it: a terminal or a log may have shortened the line',
      ),
    ],
  }
}

/** Explains what a PEM holds. */
export const readPem: Reader = text => {
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1]
  if (label === undefined) return undefined
  const found = keyProblem(text)
  const findings = present(
    label.includes('PRIVATE') &&
      about(
        'weakness',
        'private-key',
        'RFC 7517 §9.2',
        'a private key was pasted: keep it out of chats and logs',
        'make a new one if others saw it',
      ),
    found !== undefined && ofKey(found),
  )
  return {
    what: 'pem',
    title: `PEM: ${label.toLowerCase()}`,
    parts: [],
    findings,
    next: 'oauth-lab jwk convert FILE',
  }
}

/** The refusal of a SAML response with its status and its sentence. */
function refusedLogin({
  status,
  statusMessage,
}: Awaited<ReturnType<typeof examineSaml>>['message']): FragmentFinding[] {
  if (status === undefined || status[0] === 'Success') return []
  const said = statusMessage === undefined ? '' : `, “${statusMessage}”`
  const text = `the identity provider refused: ${status.join(', ')}${said}`
  return [
    about(
      'fault',
      'saml-status',
      'SAML 2.0 Core §3.2.2.2',
      text,
      'read the log of the identity provider: it knows why',
    ),
  ]
}

/** Explains a SAML message. */
export const readSaml: Reader = async text => {
  if (
    !/^\s*<(?:\w+:)?(?:Response|AuthnRequest|Assertion|LogoutRe\w+)\b/.test(text) &&
    !/^(?:SAMLRe\w+=|PHNhbWw|PHNhbWx|PFJlc3|PD94bW|[fl]V[\w%+/]{60})/.test(text)
  )
    return undefined
  try {
    const { message, lint } = await examineSaml(text, { now: Date.now() }, undefined)
    const parts = Object.entries({
      issuer: message.issuer,
      destination: message.destination,
      status: message.status?.join(' '),
      inResponseTo: message.inResponseTo,
    }).flatMap(([name, value]) => (value === undefined ? [] : [part(name, value, '')]))
    return {
      what: 'saml',
      title: `a SAML message: ${message.kind}`,
      parts,
      findings: [
        ...refusedLogin(message),
        ...lint.map(each => about('remark', each.name, each.rule, each.text)),
      ],
      next: 'oauth-lab saml decode FILE',
    }
  } catch (error) {
    if (error instanceof SamlFormatError) return undefined
    throw error
  }
}

/** The faults and weaknesses of a cookie. Its size is that of the whole pair, with the `=`. */
function cookieFindings({ name, value, attributes }: SetCookie): FragmentFinding[] {
  const rule = 'RFC 6265 §5.4'
  const size = Buffer.byteLength(`${name}=${value}`)
  const secure = attributes.has('secure')
  const sameSite = attributes.get('samesite')?.toLowerCase()
  const isHostOnly = secure && attributes.get('path') === '/' && !attributes.has('domain')
  const dropped = (text: string, next?: string) => about('fault', 'cookie-dropped', rule, text, next)
  const weak = (what: string, text: string) => about('weakness', what, 'RFC 6265 §8.3', text)
  return present(
    size > MAX_COOKIE_SIZE &&
      about(
        'fault',
        'cookie-size',
        rule,
        `it has ${size} bytes, and browsers keep none above ${MAX_COOKIE_SIZE}`,
        'keep the session at the server',
      ),
    sameSite === 'none' && !secure && dropped('SameSite=None without Secure: browsers drop it', 'add Secure'),
    name.startsWith('__Host-') &&
      !isHostOnly &&
      dropped('__Host- wants Secure, Path=/ and no Domain: browsers drop it'),
    name.startsWith('__Secure-') && !secure && dropped('__Secure- wants Secure: browsers drop it'),
    sameSite === 'strict' &&
      about(
        'remark',
        'cookie-strict',
        rule,
        'SameSite=Strict: it does not come with the callback, which another site sends',
      ),
    (sameSite === undefined || sameSite === 'lax') &&
      about(
        'remark',
        'cookie-lax',
        rule,
        'it does not come with a POST of another site: with response_mode=form_post the callback lacks it',
      ),
    !secure && weak('cookie-plain', 'it has no Secure, so it also goes over http'),
    !attributes.has('httponly') &&
      weak('cookie-script', 'it has no HttpOnly, so scripts of the page read it'),
  )
}

/** Explains the credentials or the cookies that a request sends. */
function readSent(text: string): Fragment | undefined {
  const basic = /^(?:proxy-)?authorization:\s*(basic\s+\S+)$/i.exec(text)?.[1]
  const [read] = parseBasic(basic ?? '') ?? []
  if (basic !== undefined) {
    return {
      what: 'basic',
      title: 'the credentials of a client or a person (Basic)',
      parts: read
        ? [part('client_id', read.clientId), { ...part('client_secret', read.secret), meaning: 'the secret' }]
        : [],
      findings: present(
        read === undefined &&
          about(
            'fault',
            'basic-form',
            'RFC 6749 §2.3.1',
            'it is not base64 of a name, a colon and a secret',
            'encode id:secret, each part form-encoded first',
          ),
      ),
    }
  }
  const sent = /^cookie:\s*(.+)$/is.exec(text)?.[1]
  if (sent === undefined) return undefined
  const pairs = sent.split(/;\s*/).map(pair => /^([^=]*)=?(.*)$/s.exec(pair)!)
  return {
    what: 'cookie',
    title: 'the cookies that a browser sends',
    parts: pairs.map(([, name = '', value = '']) => ({ name, value, meaning: '', isSecret: true })),
    findings: [],
  }
}

/** Explains a Set-Cookie or WWW-Authenticate line, and what a request sends. */
export const readHeader: Reader = text => {
  const sent = readSent(text)
  if (sent) return sent
  const [, name = '', value = ''] = /^(set-cookie|www-authenticate):\s*(.*)$/is.exec(text) ?? []
  if (
    name.toLowerCase() === 'set-cookie' ||
    /^[\w-]+=[^;\s]*;\s*(?:path|domain|secure|httponly|samesite|expires|max-age)\b/i.test(text)
  ) {
    const line = value || text
    const cookie = readSetCookie(line)
    // As they were sent: a person compares them with the line.
    const attributes = line.split(';').slice(1)
    return {
      what: 'set_cookie',
      title: 'a cookie that a server sets',
      parts: [
        { name: cookie.name, value: cookie.value, meaning: 'the cookie', isSecret: true },
        ...attributes.map(each => {
          const [, called = each, it = 'set'] = /^([^=]*)=(.*)$/s.exec(each) ?? []
          return part(called.trim(), it.trim(), '')
        }),
      ],
      findings: cookieFindings(cookie),
    }
  }
  if (name === '' && !/^(?:bearer|dpop|basic) +[\w-]+ *=/i.test(text)) return undefined
  const whole = value || text
  // The end of a line may be cut off, with the quote that closes its sentence.
  const [challenge] = parseChallenges([whole.split('"').length % 2 === 0 ? `${whole}"` : whole])
  if (challenge === undefined) return undefined
  const { error, error_description: said } = challenge.parameters
  const parts = [
    part('scheme', challenge.scheme, 'how the server wants to be asked'),
    ...Object.entries(challenge.parameters).map(([each, it]) => part(each, it)),
  ]
  const kind = { what: 'challenge', title: 'a challenge of a server (WWW-Authenticate)', parts }
  return error === undefined
    ? { ...kind, findings: [] }
    : explainError({ code: error, ...(said && { text: said }) }, kind)
}
