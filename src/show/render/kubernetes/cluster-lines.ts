import { foreign, makeSafe } from '../../../protocol/safe-output/safe.js'
import { shellWord } from '../../../protocol/safe-output/shell.js'
import type { DecodedJwt } from '../../../protocol/tokens/decode.js'
import { explainToken, lintNow } from '../../../protocol/tokens/explain.js'
import type { Verdict } from '../../../protocol/tokens/verify.js'
import type { ReviewExplanation } from '../../../servers/kubernetes/client/explain-review.js'
import type { Acceptor, Asked, Granted } from '../../../servers/kubernetes/client/granted.js'
import type { WrittenVolume } from '../../../servers/kubernetes/client/mounted-token.js'
import type { Resource } from '../../../servers/kubernetes/client/requests.js'
import type {
  Moment,
  NamedObject,
  ServiceAccountToken,
} from '../../../servers/kubernetes/client/service-account-token.js'
import type { IssuerKeys, Reviewed } from '../../../servers/kubernetes/client/verify-token.js'
import type { ApiObject, Pod, TokenReviewStatus, UserInfo } from '../../../servers/kubernetes/shapes.js'
import { durationText } from '../text/numbers.js'
import type { Signs } from '../text/signs.js'
import { hanging, tableLines } from '../text/text.js'
import { type JwtText, jwtLines } from '../tokens/jwt-lines.js'

/** Longest name of a token, in characters. */
const MAX_NAME = 120

/** A service account token: account, binding, issuer, audience and timeline. */
function accountLines(
  token: ServiceAccountToken,
  moments: readonly Moment[],
  { now, signs }: JwtText,
): string[] {
  const safe = (text: string) => {
    const shown = foreign(text, signs)
    return shown.length > MAX_NAME ? `${shown.slice(0, MAX_NAME)}${signs.ellipsis}` : shown
  }
  const object = ({ name, uid }: NamedObject) => `${safe(name)}${uid === '' ? '' : `  uid ${safe(uid)}`}`
  const { namespace, account, boundTo, node, issuer, audiences } = token
  const facts = [
    ['Account', object(account)],
    ['Namespace', safe(namespace)],
    ['Bound to', boundTo ? `${boundTo.kind} ${object(boundTo)}` : 'nothing but the account'],
    ...(node ? [['On node', object(node)]] : []),
    ['Issuer', issuer === undefined ? 'not named' : safe(issuer)],
    ['Audience', audiences.length === 0 ? 'not named: any' : audiences.slice(0, 50).map(safe).join(', ')],
  ]
  const life =
    moments.length === 0
      ? ['It has no dates: a legacy token, good until its secret is deleted.']
      : tableLines(timelineRows(moments, now), { indent: '  ' })
  return [...tableLines(facts), '', 'Timeline', ...life]
}

/** A decoded token; `account` is undefined when it belongs to no service account. */
interface TokenCard {
  readonly jwt: DecodedJwt
  readonly account: { readonly token: ServiceAccountToken; readonly moments: readonly Moment[] } | undefined
}

/** A token as a card: its account and life, then its claims as those of every token. */
export function tokenCardLines({ jwt, account }: TokenCard, text: JwtText): string[] {
  const explained = explainToken(jwt)
  const { claims, parts } = jwt
  const [header, payload, signature] = parts.map(({ length }) => length)
  const notes = [
    `${parts.join('.').length} bytes: header ${header}, claims ${payload}, signature ${signature}`,
    'The signature was not verified: oauth-lab k8s review asks the cluster, k8s verify checks it by the keys.',
  ]
  const lint = [...explained.lint, ...lintNow(claims, { now: text.now, unit: explained.unit })]
  const none = 'This is no service account token: its sub is not system:serviceaccount:NAMESPACE:NAME.'
  return [
    ...(account ? accountLines(account.token, account.moments, text) : [none]),
    '',
    ...jwtLines({ explained, lint, notes }, text),
  ]
}

/** Long lists and values of a server are cut here. */
const MAX_VALUES = 50
const MAX_VALUE = 300

/** A user, as rows. */
export function userRows({ username, uid, groups, extra }: UserInfo, signs: Signs): string[][] {
  const safe = (text: string) => foreign(text, signs).slice(0, MAX_VALUE)
  const rows = [
    ['Username', username ?? ''],
    ['UID', uid ?? ''],
    ['Groups', (groups ?? []).slice(0, MAX_VALUES).join(', ')],
    ...Object.entries(extra ?? {})
      .slice(0, MAX_VALUES)
      .map(([name, values]) => [
        `Extra ${name.replace(/^authentication\.kubernetes\.io\//, '')}`,
        values.join(', '),
      ]),
  ]
  return rows.filter(([, value]) => value !== '').map(row => row.map(safe))
}

/** The verdict of a review, for stdout. */
export function reviewLines(
  status: TokenReviewStatus,
  explained: ReviewExplanation,
  signs: Signs,
  room?: number,
): string[] {
  if (!explained.authenticated) {
    const error = status.error === undefined ? 'no reason was given' : status.error
    return hanging(`${signs.refused} `, `not authenticated: ${foreign(error, signs).slice(0, 2000)}`, {
      columns: room,
    })
  }
  const audiences = status.audiences ?? []
  const rows = userRows(status.user ?? {}, signs)
  return [
    `${signs.done} authenticated`,
    ...tableLines(
      [
        ...rows,
        ...(audiences.length > 0
          ? [['Audiences', audiences.map(each => foreign(each, signs)).join(', ')]]
          : []),
      ],
      { indent: '  ', columns: room },
    ),
  ]
}

/** The meaning of a review and the next moves, for stderr. */
export function reviewAdvice(
  { authenticated, verdict, notes, fix }: ReviewExplanation,
  signs: Signs,
): string[] {
  return [
    ...(authenticated ? [] : [`It means: ${foreign(verdict, signs)}`]),
    ...notes.map(each => foreign(each, signs)),
    ...(fix ? [`Fix:  ${fix.map(each => shellWord(each)).join(' ')}`] : []),
  ]
}

/** A token verified by keys, and beside that by a review. */
interface VerifiedToken {
  readonly keys: IssuerKeys
  readonly oidc: Verdict
  /** Undefined when no cluster was asked. */
  readonly reviewed: Reviewed | undefined
  /** Undefined without a review. */
  readonly explained: ReviewExplanation | undefined
}

/** Both verdicts, for stdout. `room` is the width of the terminal, in columns. */
export function verifyLines(
  { keys, oidc, reviewed, explained }: VerifiedToken,
  signs: Signs,
  room: number | undefined,
): string[] {
  const safe = (text: string) => foreign(text, signs)
  const rows = oidc.checks.map(({ name, ok, rule, detail = '' }) => [
    `${ok ? signs.done : signs.refused} ${safe(name)}`,
    safe(detail),
    safe(rule),
  ])
  const byKeys = [
    `By the keys of ${safe(keys.issuer)}, from ${safe(keys.from)}`,
    ...tableLines(rows, { indent: '  ', columns: room }),
  ]
  if (reviewed?.review === undefined || explained === undefined) return byKeys
  const review = reviewLines(reviewed.review, explained, signs, room && room - 2)
  return [...byKeys, '', 'By the review of the API server', ...review.map(line => `  ${line}`)]
}

/** The reason why there is no review, or why the verdicts differ, for stderr. */
export function verifyAdvice({ oidc, reviewed, explained }: VerifiedToken, signs: Signs): string[] {
  if (reviewed === undefined) {
    return ['The cluster was not asked: name it with --cluster or --context to have both answers.']
  }
  if (explained === undefined) {
    return [foreign(`There is no review beside it: ${reviewed.reviewProblem ?? ''}`, signs)]
  }
  if (oidc.ok === explained.authenticated) return []
  return [
    oidc.ok
      ? 'They differ: keys do not show that an account or a pod was deleted. A check by keys alone accepts this token until exp.'
      : 'They differ: the API server forgives 60 s of clock difference, and compares the audience with its own.',
    ...reviewAdvice(explained, signs),
  ]
}

function lifetimeLine(
  { lifetime, asked, lifetimeChange, warnAfter }: Granted,
  { expires }: ServiceAccountToken,
): string {
  if (lifetime === undefined) return 'granted without an end: it has no exp and iat'
  const granted = lifetimeText(lifetime)
  const until = expires === undefined ? '' : `, until ${utcText(expires * 1000)}`
  const renew = warnAfter === undefined ? '' : `; to be renewed after ${lifetimeText(warnAfter)} (warnafter)`
  switch (lifetimeChange) {
    case 'as_asked':
      return `asked ${lifetimeText(asked ?? 0)}, granted ${granted}${until}${renew}`
    case 'shortened':
      return `asked ${lifetimeText(asked ?? 0)}, granted only ${granted}: the server's maximum${until}${renew}`
    case 'extended':
      return `asked ${lifetimeText(asked ?? 0)}, granted ${granted}: a pod's token for the API server lives longer than it says${until}${renew}`
    default:
      return `granted ${granted}, the default${until}${renew}`
  }
}

function acceptorLine({ name, accepts, note, fix }: Acceptor, signs: Signs): string[] {
  const who = foreign(name, signs).slice(0, 200)
  if (accepts === 'yes') return [`${signs.done} ${who} accepts it`]
  const verdict = accepts === 'no' ? `${signs.refused} ${who} refuses it` : `${signs.look} ${who}`
  const help = fix && foreign(`  for both:  ${fix.map(each => shellWord(each)).join(' ')}`, signs)
  return [`${verdict}: ${foreign(note ?? '', signs)}`, ...(help === undefined ? [] : [help])]
}

/** The granted token beside the requested one, and the programs that will accept it. */
export function grantedLines(
  granted: Granted,
  token: ServiceAccountToken,
  warnings: readonly string[],
  signs: Signs,
): string[] {
  const { missingAudiences } = granted
  return [
    ...warnings.map(each => `Warning: ${foreign(each, signs).slice(0, 500)}`),
    foreign(lifetimeLine(granted, token), signs),
    ...(missingAudiences.length > 0
      ? [
          `${signs.refused} not granted: audience ${missingAudiences.map(each => foreign(each, signs)).join(', ')}`,
        ]
      : []),
    ...granted.acceptedBy.flatMap(each => acceptorLine(each, signs)),
  ]
}

/** Seconds for people: `10 min`, `1 h 30 min`, without units that are zero. */
function lifetimeText(seconds: number): string {
  return durationText(seconds * 1000).replace(/ 0 (s|min|h)$/, '')
}

/** `2026-11-21 11:05:17Z`. */
function utcText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime())
    ? String(at)
    : date
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, 'Z')
}

/** `3 min 2 s ago`, `in 8 min`. */
function relativeText(at: number, now: number): string {
  return at <= now ? `${lifetimeText((now - at) / 1000)} ago` : `in ${lifetimeText((at - now) / 1000)}`
}

const labels: Readonly<Record<Moment['name'], string>> = {
  iat: 'iat',
  renewal: '80 %',
  warnafter: 'warnafter',
  exp: 'exp',
  leeway: 'exp + 60 s',
}

/** Rows of a timeline: name, moment, what happens, how far away. `now` stands between what was and what comes. */
function timelineRows(moments: readonly Moment[], now: number): string[][] {
  return moments.map(({ name, at, meaning }) => [labels[name], utcText(at), relativeText(at, now), meaning])
}

/**
 * One line about a generation of a projected volume.
 * @param speed factor by which waits are shortened
 * @param now milliseconds since the epoch
 */
export function volumeLine({ folder, expires, renewIn }: WrittenVolume, speed: number, now: number): string {
  const fast = speed === 1 ? '' : ` (${lifetimeText(renewIn)} at speed 1)`
  const renewed = `renewed in ${lifetimeText(renewIn / speed)}${fast}`
  return makeSafe(`${utcText(now)}  ..data -> ${folder}  expires ${utcText(expires)}, ${renewed}`)
}

/** The kubectl command that asks for the same token, word by word. */
export function createTokenWords(namespace: string | undefined, account: string, asked: Asked): string[] {
  const { audiences, expirationSeconds, binding } = asked
  const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value])
  return [
    ...['create', 'token', account],
    ...option('-n', namespace),
    ...audiences.flatMap(each => ['--audience', each]),
    ...option('--duration', expirationSeconds === undefined ? undefined : `${expirationSeconds}s`),
    ...option('--bound-object-kind', binding?.kind),
    ...option('--bound-object-name', binding?.name),
    ...option('--bound-object-uid', binding?.uid),
  ]
}

const cut = (text: string | undefined) => makeSafe(text ?? '').slice(0, 253)

/**
 * Objects as a table.
 * @param now milliseconds since the epoch
 */
export function objectTable(
  objects: readonly (ApiObject & Pick<Partial<Pod>, 'spec'>)[],
  { kind }: Resource,
  now: number,
): string[] {
  const isPod = kind === 'Pod'
  const rows = objects.map(({ metadata, spec }) => {
    const made = Date.parse(metadata?.creationTimestamp ?? '')
    return [
      cut(metadata?.namespace),
      cut(metadata?.name),
      ...(isPod ? [cut(spec?.serviceAccountName), cut(spec?.nodeName) || '-'] : []),
      cut(metadata?.uid),
      Number.isNaN(made) ? '-' : lifetimeText(Math.max(0, Math.floor((now - made) / 1000))),
    ]
  })
  return tableLines([['NAMESPACE', 'NAME', ...(isPod ? ['ACCOUNT', 'NODE'] : []), 'UID', 'AGE'], ...rows])
}
