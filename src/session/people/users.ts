import type { OneTimeCodeOf } from '../../client/headless.js'
import type { KnownUser } from '../../client/known-login.js'
import { UsageError } from '../../protocol/errors.js'
import { listed, nearestHint } from '../../protocol/nearest.js'
import type { Client } from '../../protocol/oauth/client.js'
import { parseTotpSecret, totpCode, totpCounter } from '../../protocol/oauth/totp.js'
import type { User } from '../../servers/authorization-server/model.js'

/** Finds a named entry. The error for an unknown name lists the known ones and the nearest. @throws UsageError */
function lookUp<Entry>(
  kind: string,
  name: string,
  entries: ReadonlyMap<string, Entry>,
  hints: readonly string[] = [],
): Entry {
  const entry = entries.get(name)
  if (entry !== undefined) return entry
  const known = [...entries.keys()]
  throw new UsageError(`unknown ${kind} ${JSON.stringify(name)}. Known ${kind}s: ${listed(known)}.`, [
    ...nearestHint(name, known),
    ...hints,
  ])
}

/** The clients of a lab file, and the one that `demo` stands for. */
interface KnownClients {
  readonly clients: readonly Client[]
  readonly ownClient?: string
}

/**
 * Finds a client of the lab file; the last one counts where several have the name.
 * @param hints further hints of the error, such as the lab file in use
 * @throws UsageError
 */
export function findClient(
  name: string,
  { clients, ownClient = name }: KnownClients,
  hints: readonly string[] = [],
): Client {
  const meant = name === 'demo' ? ownClient : name
  return lookUp('client', meant, new Map(clients.map(client => [client.client_id, client])), hints)
}

/** Finds a user of the lab file; the last one counts where several have the name. @throws UsageError */
function findUser(name: string, users: readonly User[]): User {
  return lookUp('user', name, new Map(users.map(user => [user.username, user])))
}

/** Splits `alice:password` at its first colon. */
export function splitUser(typed: string): { readonly name: string; readonly password?: string } {
  const colon = typed.indexOf(':')
  if (colon < 0) return { name: typed }
  return { name: typed.slice(0, colon), password: typed.slice(colon + 1) }
}

/**
 * The user who logs in.
 * @param typed `alice`, `alice:password`, or nothing for the first user of the lab file
 * @param password a password from elsewhere, which comes first
 * @throws UsageError for an unknown user, or one whose password is not known
 */
export function knownUser(
  typed: string | undefined,
  password: string | undefined,
  users: readonly User[],
): KnownUser {
  const asked = typed === undefined ? undefined : splitUser(typed)
  const given = password ?? asked?.password
  if (asked && given !== undefined) return { username: asked.name, password: given }
  const user = asked ? findUser(asked.name, users) : users[0]
  if (user === undefined) {
    throw new UsageError('the lab file has no users', ['Name one: --user NAME:PASSWORD'])
  }
  const known = given ?? user.password
  if (known === undefined) {
    throw new UsageError(`the lab file holds only a hash of the password of ${user.username}`, [
      `Give it: --user ${user.username} --password-stdin`,
    ])
  }
  return { username: user.username, password: known }
}

/** Another user than `first` whose password is known, for what takes two people; undefined where there is none. */
export function secondUser(first: string | undefined, users: readonly User[]): KnownUser | undefined {
  for (const { username, password } of users) {
    if (username !== first && password !== undefined) return { username, password }
  }
  return undefined
}

/** The user that an assertion is about. No password is needed for that. @throws UsageError */
export function assertedUser(typed: string | undefined, users: readonly User[]): string {
  const name = typed === undefined ? users[0]?.username : splitUser(typed).name
  if (name) return name
  throw new UsageError('the lab file has no users', ['Name one: --user NAME'])
}

/** The sources of one-time codes. */
interface CodeSources {
  /** The code that a person typed. It comes first, and is good for one page. */
  readonly typed?: string | undefined
  /** Users of a lab file, whose secrets are known. */
  readonly users: readonly { readonly username: string; readonly totp_secret?: string }[]
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/**
 * Makes the function that knows one-time codes. After a refusal it returns the next code once, which servers accept for
 * clocks that are behind (RFC 6238 §5.2): the code of now may be used already.
 */
export function oneTimeCodes({ typed, users, now }: CodeSources): OneTimeCodeOf {
  return (username, attempt) => {
    if (typed !== undefined) return attempt === 0 ? typed : undefined
    const text = users.findLast(each => each.username === username)?.totp_secret
    const secret = text === undefined ? undefined : parseTotpSecret(text)
    return secret === undefined || attempt > 1 ? undefined : totpCode(secret, totpCounter(now()) + attempt)
  }
}

/** Checks a code that a person typed. @throws UsageError */
export function checkTypedCode(code: string | undefined): void {
  if (code === undefined || /^[0-9A-Za-z]{4,16}$/.test(code)) return
  throw new UsageError('--otp takes the code alone: 4 to 16 digits or letters', [
    'It looks like:  --otp 123456',
  ])
}
