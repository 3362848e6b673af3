import { readSetCookie, type SetCookie } from '../../../protocol/http/message.js'
import { parseChallenges } from '../../../protocol/oauth/bearer.js'
import { SamlFormatError } from '../../../protocol/saml/encoding.js'
import { examineSaml } from '../../../protocol/saml/examine.js'
import { decodeJweHeader, decodeJwt, isEncrypted, TokenFormatError } from '../../../protocol/tokens/decode.js'
import { explainEncrypted, explainToken, lintNow } from '../../../protocol/tokens/explain.js'
import { readTokenAgain } from '../../../protocol/tokens/second-reading.js'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'
import { MAX_COOKIE_SIZE } from '../surroundings.js'
import { wordsOf } from '../words.js'
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
  if (typeof value.issuer === 'string' && Object.keys(value).some(name => name.endsWith('_endpoint'))) {
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
    const findings = present(
      typeof value.token_type !== 'string' &&
        about('fault', 'token-type-missing', 'RFC 6749 §5.1', 'token_type is missing'),
      typeof value.expires_in === 'string' &&
        about('remark', 'expires-in-text', 'RFC 6749 §5.1', 'expires_in is a text; it is a number in JSON'),
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
  const words = wordsOf({ status: 400, headers: [], body: text })
  return words && explainError(words, { what: 'token_error', title: 'an error answer in JSON', parts })
}

const FAULTS = new Set(['expired', 'not_yet_valid', 'alg_none', 'date_text', 'milliseconds'])

/** Explains a JWT or JWE, also in another form. */
export const readToken: Reader = text => {
  const word = text.replace(/^(?:authorization:\s*)?(?:bearer|dpop)\s+/i, '').replace(/^(["'])(.*)\1$/s, '$2')
  const again = /^[\w-]+(?:\.[\w-]*){2,4}$/.test(word)
    ? undefined
    : /^[A-Za-z0-9+/_=\s-]{40,}$/.test(word)
      ? readTokenAgain(word)
      : undefined
  const token = again?.content ?? word
  if (!/^eyJ[\w-]*(?:\.[\w-]*){2,4}(?:~.*)?$/s.test(token)) return undefined
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
    const lint = [...explained.lint, ...lintNow(jwt.claims, { now: Date.now(), unit: explained.unit })]
    return {
      what: 'jwt',
      title: `a signed token (JWT); its signature was not verified${again ? `; ${again.remark}` : ''}`,
      parts: [...explained.header, ...explained.claims].map(({ name, value, meaning, time }) =>
        part(name, value, [meaning, time].filter(Boolean).join(': ')),
      ),
      findings: lint.map(({ name, text: said, rule }) =>
        about(FAULTS.has(name) ? 'fault' : 'remark', name.replaceAll('_', '-'), rule, said),
      ),
      next: 'oauth-lab jwt verify TOKEN --issuer URL',
    }
  } catch (error) {
    if (!(error instanceof TokenFormatError)) throw error
    return {
      what: 'jwt',
      title: 'a token that cannot be read',
      parts: [],
      findings: [about('fault', 'token-form', 'RFC 7519 §7.2', error.message)],
    }
  }
}

/** Explains what a PEM holds. */
export const readPem: Reader = text => {
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1]
  if (label === undefined) return undefined
  const findings = present(
    label.includes('PRIVATE') &&
      about(
        'weakness',
        'private-key',
        'RFC 7517 §9.2',
        'a private key was pasted: keep it out of chats and logs',
        'make a new one if others saw it',
      ),
    text.includes('\\n') &&
      about(
        'fault',
        'line-ends',
        'RFC 7517 §9.2',
        'its line ends are the two characters \\n, as environment variables hold it',
        'replace them by line ends before a program reads it',
      ),
  )
  return {
    what: 'pem',
    title: `PEM: ${label.toLowerCase()}`,
    parts: [],
    findings,
    next: 'oauth-lab jwk convert FILE',
  }
}

/** Explains a SAML message. */
export const readSaml: Reader = async text => {
  if (
    !/^\s*<(?:\w+:)?(?:Response|AuthnRequest|Assertion|LogoutRe\w+)\b/.test(text) &&
    !/^(?:SAMLRe\w+=|PHNhbWw|PD94bW|[fl]V[\w%+/]{60})/.test(text)
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
      findings: lint.map(each => about('remark', each.name, each.rule, each.text)),
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

/** Explains a Set-Cookie or WWW-Authenticate line. */
export const readHeader: Reader = text => {
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
  const [challenge] = parseChallenges([value || text])
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
