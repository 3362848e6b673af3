import { hash } from 'node:crypto'
import { isJsonObject, parsedJson, withoutEnds } from './values.js'

// One module for every command, server and judge: what was refused as a token, a key, a secret, a challenge, a body, a date
// or an issuer is read again in the ways in which people get it wrong, and the way that fits is named.

/** A text in another reading. */
export interface SecondReading<Content = string> {
  readonly content: Content
  /** The form of the text, as a clause: `it is base64 of a token`. */
  readonly remark: string
}

/** Longest text that is read again, in characters. */
export const MAX_LENGTH = 64 * 1024

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/** Decodes base64 or base64url, also of several lines; undefined for any other text. */
export function fromBase64(text: string): Buffer | undefined {
  const joined = text.replace(/\s+/g, '')
  return joined.length > 7 && BASE64.test(joined) ? Buffer.from(joined, 'base64') : undefined
}

/** Decodes hexadecimal of eight bytes or more; undefined for any other text. */
const fromHex = (text: string): Buffer | undefined =>
  /^(?:[\da-f]{2}){8,}$/i.test(text) ? Buffer.from(text, 'hex') : undefined

/** The text of bytes that are printable ASCII; undefined for any other bytes. */
function printable(bytes: Buffer | undefined): string | undefined {
  const text = bytes?.toString('latin1').trim()
  return text !== undefined && /^[\x20-\x7e]+$/.test(text) ? text : undefined
}

export function percentDecoded(text: string): string | undefined {
  try {
    return text.includes('%') ? decodeURIComponent(text) : undefined
  } catch {
    return undefined
  }
}

export function json(text: string): unknown {
  return /^\s*[{["]/.test(text) ? parsedJson(text) : undefined
}

/** Returns what a text is in place of the right one as the end of a sentence; empty where that is not known. */
export const but = (instead: string | undefined): string => (instead === undefined ? '' : `; ${instead}`)

// A text.

/** Members of answers and parameters of addresses that hold what people copy. The first that fits is meant. */
const CARRIERS = [
  'id_token',
  'access_token',
  'refresh_token',
  'token',
  'code',
  'client_secret',
  'assertion',
  'state',
]

function inJson(text: string): SecondReading[] {
  const value = json(text)
  if (typeof value === 'string') return [{ content: value, remark: 'it stands in quotes' }]
  if (!isJsonObject(value)) return []
  // The last line of a flow in JSON has its tokens below one member.
  const answer = isJsonObject(value.tokens) ? value.tokens : value
  return CARRIERS.flatMap(name => {
    const content = answer[name]
    return typeof content === 'string' ? [{ content, remark: `it is JSON; this is its ${name}` }] : []
  })
}

function inAddress(text: string): SecondReading[] {
  return CARRIERS.flatMap(name => {
    const found = new RegExp(`(?:^|[?#&;\\s])${name}=([^&#;\\s]+)`).exec(text)?.[1]
    if (found === undefined) return []
    return [
      { content: percentDecoded(found) ?? found, remark: `it is an address or a form; this is its ${name}` },
    ]
  })
}

/** Each way in which a text is changed between its source and the request: its remark, and the text before it. */
const WAYS: readonly (readonly [remark: string, undo: (text: string) => string | undefined])[] = [
  ['it has blanks or a line end around it', text => withoutEnds(text, ' \t\r\n\u200b\ufeff')],
  // Python writes bytes as b'…'.
  ['it stands in quotes', text => /^b?["'`<“‘](.*)["'`>”’]$/s.exec(text)?.[1]],
  [
    'a scheme stands before it',
    text => /^(?:(?:proxy-)?authorization:\s*)?(?:bearer|dpop|basic|token)[\s:]+(.+)$/is.exec(text)?.[1],
  ],
  ['it ends with a line end written as \\n', text => /^(.+?)(?:\\r)?\\n$/s.exec(text)?.[1]],
  // Two whole tokens are two, and not the halves of one.
  [
    'it is broken into lines',
    text =>
      /\s/.test(text) && !/^eyJ\S*\.\S*\.\S+\s+eyJ/.test(text.trim()) ? text.replace(/\s+/g, '') : undefined,
  ],
  [
    'its parts are in base64 with padding or with + and /: a JWT has base64url without (RFC 7515 §2)',
    text =>
      /^eyJ[\w+/-]+={0,2}\.[\w+/-]+={0,2}\.[\w+/=-]*$/.test(text)
        ? text.replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
        : undefined,
  ],
  ['it is percent-encoded', percentDecoded],
  ['its + became blanks', text => (text.includes(' ') ? text.replaceAll(' ', '+') : undefined)],
  ['it is in base64', text => printable(fromBase64(text))],
  ['it is in hexadecimal', text => printable(fromHex(text))],
  ['another parameter follows it', text => /^([^&?#]+)&[\w.-]+=/.exec(text)?.[1]],
]

const undoneOnce = (text: string): SecondReading[] =>
  WAYS.flatMap(([remark, undo]) => {
    const content = undo(text)
    return content === undefined || content === '' || content === text ? [] : [{ content, remark }]
  })

const readingsOf = (text: string) => [...undoneOnce(text), ...inJson(text), ...inAddress(text)]

/**
 * Returns the first reading of a text that fits: one way undone, or two of them one after the other.
 */
export function readAgain(text: string, fits: (text: string) => boolean): SecondReading | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const once = readingsOf(text)
  const direct = once.find(({ content }) => fits(content))
  if (direct) return direct
  for (const first of once) {
    const second = readingsOf(first.content).find(({ content }) => fits(content))
    if (second) return { content: second.content, remark: `${first.remark}, and ${second.remark}` }
  }
  return undefined
}

/** Returns a clause about what a text is in place of the right one, as the end of a sentence; empty where nothing fits. */
export function butReadAgain(what: string, text: string, fits: (text: string) => boolean): string {
  const found = readAgain(text, fits)
  if (found !== undefined) return `; the ${what} is right, but ${found.remark}`
  return but(nothingIn(text.trim()))
}

// A token.

const TOKEN = /^eyJ[\w-]*(?:\.[\w-]*){2}(?:(?:\.[\w-]*){2})?$/

/** Finds the token in a text that is not one. */
export const readTokenAgain = (text: string): SecondReading | undefined =>
  readAgain(text, each => TOKEN.test(each))

/** Returns that a text stands for a value which is not there; undefined for any other text. */
function nothingIn(word: string): string | undefined {
  if (/^(?:undefined|null|nan|none|true|false|\[object \w+\])$/i.test(word)) {
    return `it is the text ${word.slice(0, 20)}: the variable of the client holds nothing`
  }
  if (/^(?:\$\{?\w+\}?|\{\{.+\}\}|%\w+%|<(?!html|body|\?)[\w -]+>|your[_-].*)$/i.test(word))
    return 'it is a placeholder that nothing replaced'
  return undefined
}

/** Returns what a text is in which no token can be found; undefined where that is not known. */
export function notAToken(text: string): string | undefined {
  const word = text.trim()
  const nothing = nothingIn(word)
  if (nothing !== undefined) return nothing
  if (/^eyJ[\w-]*(?:\.[\w-]*)?$/.test(word)) return 'it is the beginning of a token: the rest was cut off'
  if (/^<[?!a-z]/i.test(word)) return 'it is XML or a page'
  if (word.includes('-----BEGIN ')) return 'it is PEM: a key or certificate, and no token'
  return undefined
}

/** Returns what stands in place of the one token of an Authorization header, as the end of a sentence; empty where nothing is known. */
export function butHeader(values: readonly string[]): string {
  const token = (values[0] ?? '').trim().replace(/^\S+\s*/, '')
  return but(insteadOfToken(token))
}

/** Returns what stands in place of a JWT, as a clause; undefined for an opaque text. */
export const insteadOfToken = (text: string): string | undefined =>
  text.length > MAX_LENGTH ? undefined : (notAToken(text) ?? readTokenAgain(text)?.remark)

/** Claims of an ID token that an access token never has (OpenID Connect Core §3.1.3.6, §3.3.2.11). */
const ID_TOKEN_CLAIMS = ['at_hash', 'c_hash', 's_hash']

/**
 * Returns the mark by which a JWT is an ID token; undefined for any other JWT. An ID token has no `typ` of its own. One mark is the
 * hash of a token or code. The other is a nonce without a scope or client: some servers put a nonce into access tokens too.
 */
export function idTokenMark(claims: Readonly<Record<string, unknown>>): string | undefined {
  const named = ID_TOKEN_CLAIMS.find(name => claims[name] !== undefined)
  if (named !== undefined) return `it has ${named}`
  const allows = ['scope', 'scp', 'client_id'].some(name => claims[name] !== undefined)
  return claims.nonce !== undefined && !allows ? 'it has a nonce and no scope' : undefined
}

/** True for the `typ` of an access token that names its resource server (RFC 9068 §2.1). */
export const isAccessTokenType = (typ: unknown): boolean =>
  typeof typ === 'string' && /^(?:application\/)?at\+jwt$/i.test(typ)

/** Returns the mark by which a JWT is an access token; undefined for any other JWT (RFC 9068 §2.1, §2.2.3). */
export function accessTokenMark(
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
): string | undefined {
  if (isAccessTokenType(header.typ)) return 'its typ is at+jwt'
  if (idTokenMark(claims) !== undefined) return undefined
  const scope = ['scope', 'scp'].find(name => claims[name] !== undefined)
  return scope && `it has ${scope}`
}

// An issuer.

/** Names of environments, as they stand in host names. */
const ENVIRONMENTS =
  /^(?:dev|develop|development|test|testing|int|qa|uat|stage|staging|preprod|sandbox|preview|demo|local|localhost|prod|production|live)$/i

const environmentIn = (host: string): string | undefined =>
  host.split(/[.-]/).find(each => ENVIRONMENTS.test(each))

const ENTRA = /^https:\/\/(?:sts\.windows\.net|login\.(?:microsoftonline\.com|microsoft\.com))\//

function addressOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Returns the difference between an issuer and the expected one, as a clause; undefined where it is merely another one. */
export function otherIssuer(named: unknown, wanted: string): string | undefined {
  if (typeof named !== 'string') return undefined
  const bare = (issuer: string) => withoutEnds(issuer, '/ ')
  if (bare(named) === bare(wanted))
    return 'they differ by the slash at the end, and are compared as they are written'
  if (bare(named).toLowerCase() === bare(wanted).toLowerCase()) return 'they differ in upper and lower case'
  if (ENTRA.test(named) && ENTRA.test(wanted))
    return 'one is of the endpoints v1.0 and the other of v2.0, or they are of two tenants (Microsoft Entra)'
  const [one, other] = [addressOf(named), addressOf(wanted)]
  if (one === undefined || other === undefined) return undefined
  if (one.host === other.host && one.pathname === other.pathname) return 'they differ in http and https'
  const isHere = ({ hostname }: URL) => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (isHere(one) && isHere(other) && one.port === other.port) return 'they are two names of one computer'
  if (one.hostname === other.hostname && one.port !== other.port) return 'it is of a server on another port'
  if (one.host === other.host) return 'it is of another tenant, realm or path of the same server'
  const [from, to] = [environmentIn(one.hostname), environmentIn(other.hostname)]
  if (from !== to) return `it is of another environment: ${from ?? 'no name'} in place of ${to ?? 'no name'}`
  return undefined
}

// A date.

/** Returns the unit or form in which a date claim is wrong, as a clause; undefined for a number of seconds. */
export function otherDate(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\d/.test(value)) return 'it is a date in text; a NumericDate is a number of seconds'
    return /^\d+$/.test(value) ? 'it is a number in quotes' : undefined
  }
  if (typeof value !== 'number' || !(Math.abs(value) >= 1e11 && Math.abs(value) < 1e21)) return undefined
  // 1e11 seconds is the year 5138, 1e11 milliseconds 1973, and so on for smaller units.
  const unit =
    Math.abs(value) < 1e14 ? 'milliseconds' : Math.abs(value) < 1e17 ? 'microseconds' : 'nanoseconds'
  return `it looks like ${unit}`
}

/** Returns the unit in which a lifetime in seconds is wrong, as a clause; undefined for a plausible one. */
export function otherLifetime(seconds: number): string | undefined {
  // A lifetime of 30 years is a date, in seconds or milliseconds. Whole minutes of a week or more are milliseconds: 3600000.
  if (seconds > 9e8)
    return `it is a date${seconds > 1e11 ? ' in milliseconds' : ''}, and no lifetime in seconds`
  return seconds >= 600_000 && seconds % 60_000 === 0 ? 'it looks like milliseconds' : undefined
}

// A body.

/** Returns the form of a body, as a noun; undefined for an unknown one. */
export function formOfBody(body: string): string | undefined {
  const text = body.trim()
  if (isJsonObject(json(text))) return 'JSON'
  if (/^\s*\{\s*'[^']*'\s*:/.test(text)) return 'the text of an object with single quotes'
  if (/^--[^\r\n]+\r?\ncontent-disposition: *form-data/i.test(text)) return 'multipart/form-data'
  if (/^<(?:!doctype\s+html|html)\b/i.test(text)) return 'a page (HTML)'
  if (/^<\?xml|^<\w+[\s>]/.test(text)) return 'XML'
  return /^[\w.~%+-]+=[^&\s{}<>"]*(?:&[\w.~%+-]+=[^&\s{}<>"]*)*$/.test(text) ? 'a form' : undefined
}

/** Returns the form of a body whose content type is wrong, as the end of a sentence; empty where the form is not known. */
export const butBody = (form: string | undefined, wanted: 'JSON' | 'a form'): string =>
  but(form && `the body is ${form}${form === wanted ? ', so only its type is wrong' : ''}`)

// PKCE.

const digest = (text: string | Buffer, form: 'hex' | 'base64' | 'base64url') => hash('sha256', text, form)
const inBase64url = (text: string) => Buffer.from(text).toString('base64url')

/** The texts that people make of a verifier in place of its challenge. */
const CHALLENGES: readonly (readonly [form: string, write: (verifier: string) => string])[] = [
  ['as the hexadecimal digest', verifier => digest(verifier, 'hex')],
  ['as base64url of the hexadecimal digest', verifier => inBase64url(digest(verifier, 'hex'))],
  [
    'as base64 of the hexadecimal digest',
    verifier => Buffer.from(digest(verifier, 'hex')).toString('base64'),
  ],
  ['in standard base64', verifier => digest(verifier, 'base64')],
  ['in base64url with padding', verifier => `${digest(verifier, 'base64url')}=`],
  ['in standard base64 without padding', verifier => digest(verifier, 'base64').replace('=', '')],
  ['as the verifier itself, under the name S256', verifier => verifier],
  ['as the verifier in base64url, without a digest', inBase64url],
  ['as S256, under the name plain', verifier => digest(verifier, 'base64url')],
  [
    'as the digest of the bytes that the verifier writes in base64url',
    verifier => digest(Buffer.from(verifier, 'base64url'), 'base64url'),
  ],
  [
    'as the digest of the verifier in UTF-16',
    verifier => digest(Buffer.from(verifier, 'utf16le'), 'base64url'),
  ],
  ['as the digest of the verifier with a line end', verifier => digest(`${verifier}\n`, 'base64url')],
  ['as the digest of the verifier in quotes', verifier => digest(JSON.stringify(verifier), 'base64url')],
  ['as the digest of its digest', verifier => digest(digest(verifier, 'base64url'), 'base64url')],
  ['as the digest of its hexadecimal digest', verifier => digest(digest(verifier, 'hex'), 'base64url')],
  ['as the SHA-1 digest', verifier => hash('sha1', verifier, 'base64url')],
  ['as the SHA-512 digest', verifier => hash('sha512', verifier, 'base64url')],
]

/** Returns the wrong form in which a challenge holds a verifier; undefined for another verifier. */
export function otherChallenge(verifier: string, challenge: string): string | undefined {
  const sent = challenge.replaceAll(' ', '+')
  if (verifier === challenge) return 'as the verifier itself, under the name S256'
  // Hexadecimal comes in both cases.
  const same = (made: string) => made === sent || made === sent.toLowerCase()
  const found = CHALLENGES.find(([, write]) => same(write(verifier)))?.[0]
  if (found) return found
  return digest(challenge, 'base64url') === verifier
    ? 'the other way round: the token request sends the challenge'
    : undefined
}

/** Returns what an S256 challenge of a wrong form looks like, as a clause; undefined where that is not known. */
export function formOfChallenge(challenge: string): string | undefined {
  const sent = challenge.replaceAll(' ', '+')
  if (/^[\da-f]{64}$/i.test(sent)) return 'this is a hexadecimal digest'
  if (/^[\w-]{43}=$/.test(sent)) return 'this has padding: leave the = out'
  if (/[+/]/.test(sent) && /^[A-Za-z0-9+/]{43}=?$/.test(sent))
    return 'this is standard base64: write - for + and _ for /, without ='
  if (/^[\w+/-]{86}(?:==)?$/.test(sent)) return 'this is base64 of a hexadecimal digest, or a SHA-512 digest'
  if (/^[\w-]{27}=?$|^[\da-f]{40}$/i.test(sent)) return 'this is a SHA-1 digest'
  return verifierLike(sent) ? 'this may be the code_verifier itself' : undefined
}

const verifierLike = (text: string) => /^[\w.~-]{43,128}$/.test(text)

/** Returns the method that a misspelt code_challenge_method means; undefined for an unknown one. */
export const otherMethod = (method: string): 'S256' | 'plain' | undefined =>
  /^s(?:ha)?[-_ ]?256$/i.test(method) ? 'S256' : /^(?:plain|none|text)$/i.test(method) ? 'plain' : undefined

// A secret.

const SECRETS: readonly (readonly [
  remark: string,
  write: (secret: Buffer, text: string) => Buffer | undefined,
])[] = [
  ['the bytes that this secret writes in base64 (base64 -d)', (_, text) => fromBase64(text)],
  ['the bytes that this secret writes in hexadecimal (xxd -r -p)', (_, text) => fromHex(text)],
  ['this secret without the blanks or quotes around it', (_, text) => Buffer.from(text)],
  [
    'this secret, percent-decoded',
    (_, text) => (plain => (plain === undefined ? undefined : Buffer.from(plain)))(percentDecoded(text)),
  ],
  [
    'this secret and a line end after it, as echo writes one',
    secret => Buffer.concat([secret, Buffer.from('\n')]),
  ],
  ['base64 of this secret', secret => Buffer.from(secret.toString('base64'))],
  ['base64url of this secret', secret => Buffer.from(secret.toString('base64url'))],
  ['this secret in hexadecimal', secret => Buffer.from(secret.toString('hex'))],
  ['the SHA-256 digest of this secret', secret => hash('sha256', secret, 'buffer')],
]

/** Returns the other bytes that a secret may stand for, each with its name. */
export function otherSecrets(secret: Uint8Array): readonly SecondReading<Buffer>[] {
  const bytes = Buffer.from(secret)
  const text = bytes
    .toString('utf8')
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
  return SECRETS.flatMap(([remark, write]) => {
    const content = write(bytes, text)
    return content === undefined || content.length === 0 || content.equals(bytes) ? [] : [{ content, remark }]
  })
}

/**
 * Returns what a sent secret is in place of the right one, as the end of a sentence; empty where nothing fits. Only one way is undone, so
 * that a request stays about one guess.
 * @param isRight compares in constant time
 */
export function butSecret(sent: string, isRight: (secret: string) => boolean): string {
  if (sent.length > 1024) return ''
  const read = undoneOnce(sent).find(({ content }) => isRight(content))
  if (read) return `; the secret is right, but ${read.remark}`
  const bytes = Buffer.from(sent)
  const forms = [
    ['is decoded from base64', bytes.toString('base64')],
    ['is decoded from base64', bytes.toString('base64url')],
    ['is decoded from hexadecimal', bytes.toString('hex')],
    ['lacks its percent-encoding', encodeURIComponent(sent)],
  ] as const
  const found = forms.find(([, secret]) => isRight(secret))
  return found ? `; the secret is right, but it ${found[0]}: send it as it is registered` : ''
}

// A signature.

/** Returns the two numbers of an ECDSA signature in DER side by side, as a JWS has them (RFC 7518 §3.4); undefined for any other signature. */
export function rawOfDer(signature: Uint8Array, size: number): Buffer | undefined {
  const bytes = Buffer.from(signature)
  if (bytes[0] !== 0x30) return undefined
  const numbers: Buffer[] = []
  // The length of the sequence takes two bytes where it is above 127.
  let at = bytes[1] === 0x81 ? 3 : 2
  while (numbers.length < 2 && bytes[at] === 0x02) {
    const length = bytes[at + 1] ?? 0
    numbers.push(bytes.subarray(at + 2, at + 2 + length))
    at += 2 + length
  }
  if (numbers.length !== 2 || at !== bytes.length) return undefined
  const padded = numbers.map(each => {
    const stripped = each[0] === 0 ? each.subarray(1) : each
    return stripped.length > size
      ? undefined
      : Buffer.concat([Buffer.alloc(size - stripped.length), stripped])
  })
  const [r, s] = padded
  return r && s && Buffer.concat([r, s])
}

/** Size of the numbers of an ECDSA signature, in bytes (RFC 7518 §3.4). */
const ECDSA_SIZES: Readonly<Record<string, number>> = { ES256: 32, ES384: 48, ES512: 66 }

/** Returns the other readings of a signature in base64url, each with a clause. */
export function otherSignatures(signature: string, alg: string): readonly SecondReading[] {
  const bytes = Buffer.from(signature, 'base64url')
  const size = ECDSA_SIZES[alg]
  const written = printable(bytes) ?? ''
  const forms: readonly (readonly [string, Buffer | undefined])[] = [
    ['a blank, line end or quote follows it', /[\s"']$/.test(signature) ? bytes : undefined],
    [
      'it is in DER, as OpenSSL and Java write it: a JWS has r and s side by side (RFC 7518 §3.4)',
      size === undefined ? undefined : rawOfDer(bytes, size),
    ],
    ['it is in hexadecimal', fromHex(signature)],
    ['it is base64url of its hexadecimal', fromHex(written)],
    ['it is encoded twice', fromBase64(written)],
    [
      'it is in standard base64, and a JWS has base64url (RFC 7515 §2)',
      /[+/=]/.test(signature) ? bytes : undefined,
    ],
  ]
  return forms.flatMap(([remark, content]) =>
    content === undefined ? [] : [{ content: content.toString('base64url'), remark }],
  )
}

/** Returns the clause of a signature that is shorter than its key makes it; undefined for a whole one. */
export function cutSignature(signature: string, alg: string, modulusBits = 0): string | undefined {
  const size = ECDSA_SIZES[alg]
  const made = /^HS/.test(alg) ? Number(alg.slice(2)) / 8 : size === undefined ? modulusBits / 8 : 2 * size
  const { length } = Buffer.from(signature, 'base64url')
  return length < made ? `it was cut off: the signature has ${length} of ${made} bytes` : undefined
}
