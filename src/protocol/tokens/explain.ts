import { type Check, check } from '../oauth/check.js'
import type { Citation } from '../rules/rule.js'
import { accessTokenMark, idTokenMark } from '../second-reading.js'
import { isJsonObject, type JsonObject } from '../values.js'
import type { DecodedJwt } from './decode.js'

/** A remark on a token. It does not make the token invalid. */
export interface Lint {
  /** snake_case: `milliseconds`, `no_exp`, `alg_none`, … */
  readonly name: string
  readonly text: string
  readonly rule: Citation
}

/** A token explained for a person, as plain data. */
export interface ExplainedToken {
  readonly header: readonly ExplainedMember[]
  readonly claims: readonly ExplainedMember[]
  readonly lint: readonly Lint[]
  /** 1000 when the dates are in milliseconds, or else 1. */
  readonly unit: 1 | 1000
}

const headerMeanings: Readonly<Record<string, string>> = {
  alg: 'signature algorithm',
  typ: 'type of the token',
  kid: 'which key signed it',
  cty: 'type of the content',
  jku: 'where the keys are; never follow it unasked',
  jwk: 'a key inside the token; never trust it',
  crit: 'extensions that must be understood',
  x5c: 'certificate chain',
}

/** Meanings in the header of an encrypted token (RFC 7516 §4.1, RFC 7518 §4). */
const encryptedMeanings: Readonly<Record<string, string>> = {
  ...headerMeanings,
  alg: 'how the content key is encrypted',
  enc: 'how the content is encrypted',
  kid: 'which key it is encrypted for',
  zip: 'compression before encryption',
  cty: 'type of the content; JWT for a signed token inside',
  epk: 'the public key of the sender, for this token alone',
  apu: 'who sent it',
  apv: 'who is to read it',
  iv: 'initialization vector of the content key',
  tag: 'authentication tag of the content key',
  p2s: 'salt of the password',
  p2c: 'rounds of the password hash',
}

const claimMeanings: Readonly<Record<string, string>> = {
  iss: 'issuer: the authorization server',
  sub: 'subject: the resource owner',
  aud: 'audience: who is to accept it',
  exp: 'expires',
  nbf: 'not valid before',
  iat: 'issued',
  jti: 'unique id of the token',
  azp: 'authorized party: the client it was issued to',
  client_id: 'the client it was issued to',
  scope: 'what it allows',
  userinfo_claims: 'claims for /userinfo that were asked for by name',
  authorization_details: 'what exactly was granted (RFC 9396)',
  nonce: 'binds it to the authorization request',
  auth_time: 'when the resource owner logged in',
  at_hash: 'binds it to the access token',
  c_hash: 'binds it to the code',
  acr: 'how strong the login was',
  amr: 'methods of the login',
  cnf: 'key the presenter must prove to hold',
  act: 'who acts for the subject',
  name: 'full name',
  email: 'e-mail address',
  email_verified: 'whether the address was verified',
  preferred_username: 'name the person goes by',
  given_name: 'first name',
  family_name: 'last name',
  middle_name: 'middle name',
  nickname: 'casual name',
  profile: 'page about the person',
  picture: 'address of a picture',
  website: 'page of the person',
  gender: 'gender',
  birthdate: 'date of birth',
  zoneinfo: 'time zone',
  locale: 'language and country',
  phone_number: 'telephone number',
  phone_number_verified: 'whether the number was verified',
  address: 'postal address',
  updated_at: 'last changed',
  active: 'whether the server accepts the token now',
  username: 'name of the resource owner, for people',
  token_type: 'how the token is presented',
  sid: 'session at the server',
  may_act: 'who may act for the subject',
}

/** Meanings that differ in the token of a Kubernetes service account. */
const clusterMeanings: Readonly<Record<string, string>> = {
  ...claimMeanings,
  iss: 'issuer: the cluster',
  sub: 'subject: the service account',
  'kubernetes.io': 'what the cluster says of it',
}

const dateClaims = new Set(['exp', 'nbf', 'iat', 'auth_time', 'updated_at'])

// 1e11 seconds is the year 5138; a date claim beyond it is in milliseconds.
const inMilliseconds = (value: unknown): boolean => Math.abs(numberIn(value)) > 1e11

/** A date claim as a number, also where a program wrote it as text; NaN for anything else. */
const numberIn = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && /^\d{1,16}$/.test(value))
    ? Number(value)
    : Number.NaN

/** Explains a decoded token: the meaning of each member, the dates, and remarks. */
export function explainToken(token: DecodedJwt): ExplainedToken {
  const { header, claims } = token
  const unit = [...dateClaims].some(name => inMilliseconds(claims[name])) ? 1000 : 1
  return {
    header: explain(header, headerMeanings),
    claims: explain(claims, 'kubernetes.io' in claims ? clusterMeanings : claimMeanings)
      .map(claim => (dateClaims.has(claim.name) ? withTime(claim, unit) : claim))
      .flatMap(withInnerClaims),
    lint: lintToken(token, unit),
    unit,
  }
}

/** Explains members that stand alone, such as an introspection or a userinfo answer. */
export function explainMembers(members: JsonObject): Pick<ExplainedToken, 'claims' | 'unit'> {
  const { claims, unit } = explainToken({ header: {}, claims: members, parts: ['', '', ''] })
  return { claims, unit }
}

/** Explains the header of an encrypted token; its claims cannot be read without the key. */
export function explainEncrypted(header: JsonObject): ExplainedMember[] {
  return explain(header, encryptedMeanings)
}

function explain(members: JsonObject, meanings: Readonly<Record<string, string>>): ExplainedMember[] {
  return Object.entries(members).map(([name, value]) => {
    return { name, value, meaning: Object.hasOwn(meanings, name) ? meanings[name]! : '' }
  })
}

function lintToken({ header, claims }: DecodedJwt, unit: 1 | 1000): Lint[] {
  const lint: Lint[] = []
  if (unit === 1000) {
    const year = typeof claims.exp === 'number' ? yearOfSeconds(claims.exp) : undefined
    lint.push({
      name: 'milliseconds',
      text: `these dates are milliseconds; a NumericDate counts seconds${
        year === undefined ? '' : `. A strict verifier reads exp as the year ${year}`
      }`,
      rule: 'RFC 7519 §2',
    })
  }
  const texts = [...dateClaims].filter(
    name => typeof claims[name] === 'string' && !Number.isNaN(numberIn(claims[name])),
  )
  if (texts.length > 0) {
    const text = `${texts.join(', ')}: a NumericDate is a number, and this is a text: other programs refuse the token`
    lint.push({ name: 'date_text', text, rule: 'RFC 7519 §2' })
  }
  if (claims.exp === undefined)
    lint.push({ name: 'no_exp', text: 'it never expires', rule: 'RFC 7519 §4.1.4' })
  if (claims.iss === undefined)
    lint.push({ name: 'no_iss', text: 'it names no issuer', rule: 'RFC 7519 §4.1.1' })
  if (claims.aud === undefined)
    lint.push({ name: 'no_aud', text: 'it names no audience', rule: 'RFC 7519 §4.1.3' })
  if (typeof header.alg === 'string' && header.alg.toLowerCase() === 'none') {
    lint.push({ name: 'alg_none', text: 'it is not signed', rule: 'RFC 8725 §3.2' })
  }
  if (header.jku !== undefined || header.jwk !== undefined || header.x5u !== undefined) {
    lint.push({ name: 'key_in_header', text: 'the header offers its own key', rule: 'RFC 8725 §3.10' })
  }
  return lint
}

/** Returns the year of a number of seconds, also beyond the range of Date. */
function yearOfSeconds(seconds: number): number {
  return Math.floor(1970 + seconds / (365.2425 * 86400))
}

/** A claim or header member with its meaning. */
export interface ExplainedMember {
  readonly name: string
  readonly value: unknown
  readonly meaning: string
  /** The time of a NumericDate in ISO 8601 UTC, in the unit that the token seems to use. */
  readonly time?: string
  /** True for a member of the previous member's value. */
  readonly inner?: true
}

/** Adds the time of a date claim to its member. `unit` is the number of units in a second. */
function withTime(member: ExplainedMember, unit: 1 | 1000): ExplainedMember {
  const value = numberIn(member.value)
  const date = new Date((value / unit) * 1000)
  return Number.isNaN(date.getTime()) ? member : { ...member, time: date.toISOString() }
}

// The members of the claim `kubernetes.io` in the token of a service account.

const innerMeanings: ReadonlyMap<string, string> = new Map([
  ['namespace', 'namespace of the service account'],
  ['serviceaccount', 'service account'],
  ['pod', 'pod: the token dies with it'],
  ['secret', 'secret: the token dies with it'],
  ['node', 'node'],
  ['warnafter', 'should be renewed, though it lives on'],
])

function innerClaims(name: string, value: unknown): ExplainedMember[] {
  const meaning = innerMeanings.get(name) ?? ''
  if (isJsonObject(value) && typeof value.name === 'string' && typeof value.uid === 'string') {
    const kind = meaning.split(':')[0] || name
    return [
      { name, value: value.name, meaning, inner: true },
      { name: 'uid', value: value.uid, meaning: `of this ${kind}`, inner: true },
    ]
  }
  const member = { name, value, meaning, inner: true } as const
  return [name === 'warnafter' ? withTime(member, 1) : member]
}

/** Splits the claim `kubernetes.io` into one member for each of its own members. Returns other claims unchanged. */
function withInnerClaims(claim: ExplainedMember): ExplainedMember[] {
  const { name, value, meaning } = claim
  if (name !== 'kubernetes.io' || !isJsonObject(value)) return [claim]
  return [
    { name, value: '', meaning },
    ...Object.entries(value).flatMap(([inner, each]) => innerClaims(inner, each)),
  ]
}

/** The time and the reader of a token, for remarks without verification. */
interface Circumstances {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** 1000 when the token's dates are in milliseconds, or else 1. */
  readonly unit: 1 | 1000
  /** The audience that reads the token. */
  readonly audience?: string
}

/** Returns the remarks that depend on the time and the reader: expired, not valid yet, wrong audience. */
export function lintNow(claims: DecodedJwt['claims'], { now, unit, audience }: Circumstances): Lint[] {
  const lint: Lint[] = []
  // NaN is neither before nor after now, so no remark is made on a date that is not a number.
  const moment = (value: unknown) => (numberIn(value) * 1000) / unit
  const exp = moment(claims.exp)
  const nbf = moment(claims.nbf)
  const iat = moment(claims.iat)
  if (now >= exp) {
    lint.push({ name: 'expired', text: 'it has expired', rule: 'RFC 7519 §4.1.4' })
  }
  if (now < nbf) {
    lint.push({ name: 'not_yet_valid', text: 'it is not valid yet', rule: 'RFC 7519 §4.1.5' })
  }
  if (now < iat) {
    lint.push({
      name: 'issued_in_future',
      text: 'it says it was issued in the future',
      rule: 'RFC 7519 §4.1.6',
    })
  }
  if (audience !== undefined && !audiencesOf(claims).includes(audience)) {
    lint.push({ name: 'wrong_aud', text: `it is not meant for ${audience}`, rule: 'RFC 7519 §4.1.3' })
  }
  return lint
}

function audiencesOf({ aud }: DecodedJwt['claims']): readonly unknown[] {
  return Array.isArray(aud) ? aud : [aud]
}

/** Rule of the unit of dates: a NumericDate counts seconds. */
const DATE_UNIT_RULE = 'RFC 7519 §2'

/** Checks that dates count seconds. 1e11 seconds is the year 5138, so a larger number counts milliseconds. */
export function checkDateUnit(claims: DecodedJwt['claims']): Check {
  const late = ['exp', 'nbf', 'iat'].filter(name => {
    const value = claims[name]
    return typeof value === 'number' && value > 1e11
  })
  const detail =
    late.length === 0
      ? 'seconds'
      : `${late.join(', ')} in milliseconds; a NumericDate counts seconds since 1970-01-01`
  return check('unit', late.length === 0, DATE_UNIT_RULE, detail)
}

/** Returns the kind of a JWT after a comma, such as `, an ID token (it has at_hash)`; empty where nothing shows it. */
export function kindOf({ header, claims }: DecodedJwt): string {
  const id = idTokenMark(claims)
  if (id !== undefined) return `, an ID token (${id})`
  const access = accessTokenMark(header, claims)
  return access === undefined ? '' : `, an access token (${access})`
}
