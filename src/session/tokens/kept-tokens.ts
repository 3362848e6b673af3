import { createHash } from 'node:crypto'
import { lstat, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureHome, readState, writeState } from '../../lab/state/state-folder.js'
import type { DpopJwk } from '../../protocol/tokens/dpop.js'
import { isJsonObject, type JsonObject, parsedJson } from '../../protocol/values.js'

/** The facts that a token is kept under: another value of one is another token. */
export interface TokenPlaceKey {
  /** The issuer, or the address of a server without one. */
  readonly issuer: string
  /** The origin that its refresh token goes to. A lab file may name an issuer and the endpoint of somebody else. */
  readonly endpoint: string
  readonly clientId: string
  /** The grant, by the name of its flow. */
  readonly grant: string
  /** The person who logs in; empty where nobody does. */
  readonly user: string
  /** The scope that is asked for; empty for none. */
  readonly scope: string
  /** The resource that is asked for (RFC 8707); empty for none. */
  readonly resource: string
  /** Further parameters of its requests, such as `token:audience=https://api.example`, in order; empty for none. */
  readonly parameters: string
  /** The way the token is bound: `dpop`, or the thumbprint of a certificate; empty for a bearer token. */
  readonly binding: string
  /** The entry of a found lab file that names the server; absent for a server that a person named. */
  readonly entry?: string
}

/** A token that is kept between commands. */
export interface KeptToken extends TokenPlaceKey {
  readonly id: string
  readonly accessToken: string
  readonly tokenType: string
  /** The scope that was granted, where the server said so. */
  readonly granted?: string
  readonly refreshToken?: string
  readonly idToken?: string
  /** The private key that a DPoP token is bound to. */
  readonly dpopKey?: DpopJwk
  /** Milliseconds since the epoch. */
  readonly obtainedAt: number
  /** Milliseconds since the epoch; absent where the server did not say when it ends. */
  readonly expiresAt?: number
  /** Milliseconds since the epoch, by the clock of this computer. */
  readonly usedAt: number
}

const FOLDER = 'tokens'
const FILE = /^[0-9a-f]{16}\.json$/

/** A draft of `writeState` or of a lock, and the age from which it is abandoned, in milliseconds. */
const DRAFT = /^[0-9a-f]{16}\.(?:json|lock)\.\d+-[0-9a-f]{8}$/
const DRAFT_AGE = 60_000

/** Most tokens that are kept. The one that was used longest ago goes first. */
const MOST_TOKENS = 100

/** Age since its last use from which a token is forgotten, in milliseconds. */
const LONGEST = 30 * 86_400_000

/** Largest file that is read, in characters. */
const LARGEST = 1024 * 1024

/** The name of a token: short, and the same for the same facts. */
export function tokenId(key: TokenPlaceKey): string {
  const { issuer, endpoint, clientId, grant, user, scope, resource, parameters, binding, entry } = key
  const sorted = scope.split(' ').toSorted().join(' ')
  const facts = JSON.stringify([
    issuer,
    endpoint,
    clientId,
    grant,
    user,
    sorted,
    resource,
    parameters,
    binding,
    ...(entry === undefined ? [] : [entry]),
  ])
  return createHash('sha256').update(facts).digest('hex').slice(0, 16)
}

const texts = [
  'issuer',
  'endpoint',
  'clientId',
  'grant',
  'user',
  'scope',
  'resource',
  'parameters',
  'binding',
  'accessToken',
  'tokenType',
] as const
const optionalTexts = ['entry', 'granted', 'refreshToken', 'idToken'] as const

/** The token in a file; undefined for a file of anything else. */
function tokenIn(id: string, text: string | undefined): KeptToken | undefined {
  if (text === undefined || text.length > LARGEST) return undefined
  const value = parsedJson(text)
  if (!isJsonObject(value)) return undefined
  const members: JsonObject = value
  const right =
    texts.every(name => typeof members[name] === 'string') &&
    optionalTexts.every(name => members[name] === undefined || typeof members[name] === 'string') &&
    Number.isFinite(members.obtainedAt) &&
    Number.isFinite(members.usedAt) &&
    (members.expiresAt === undefined || Number.isFinite(members.expiresAt)) &&
    (members.dpopKey === undefined || isJsonObject(members.dpopKey))
  return right ? ({ ...members, id } as unknown as KeptToken) : undefined
}

/**
 * The file that one process at a time works on. Two processes that trade the same refresh token look like a thief to its server, which
 * then revokes it (RFC 9700 §4.14.2).
 */
export const tokenFile = (id: string): string => join(FOLDER, id)

/** Reads a token; undefined where none is kept. @throws UsageError for a state folder that cannot be used */
export async function readKeptToken(home: string, id: string): Promise<KeptToken | undefined> {
  return tokenIn(id, await readState(home, join(FOLDER, `${id}.json`)))
}

/** Forgets a token. @returns false where none was kept */
export async function forgetToken(home: string, id: string): Promise<boolean> {
  return unlink(join(home, FOLDER, `${id}.json`)).then(
    () => true,
    () => false,
  )
}

/** True for a token that nothing can be done with any more. */
function isSpent({ expiresAt, refreshToken, usedAt }: KeptToken, now: number): boolean {
  const ended = expiresAt !== undefined && expiresAt < now && refreshToken === undefined
  return ended || now - usedAt > LONGEST
}

/** Removes a file that a killed process left behind: half a token is a secret too. */
async function removeDraft(home: string, name: string, now: number): Promise<void> {
  const draft = join(home, FOLDER, name)
  const stat = await lstat(draft).catch(() => undefined)
  if (stat?.isFile() && now - stat.mtimeMs > DRAFT_AGE) await unlink(draft).catch(() => {})
}

/** The kept tokens, last used first. Forgets those that nothing can be done with any more, and those that are too many. */
export async function keptTokens(home: string, now = Date.now()): Promise<KeptToken[]> {
  const names = await readdir(join(home, FOLDER)).catch(() => [])
  const tokens: KeptToken[] = []
  for (const name of names) {
    if (DRAFT.test(name)) await removeDraft(home, name, Date.now())
    if (!FILE.test(name)) continue
    const id = name.slice(0, -'.json'.length)
    const token = await readKeptToken(home, id)
    if (token === undefined || isSpent(token, now)) await forgetToken(home, id)
    else tokens.push(token)
  }
  const sorted = tokens.sort((a, b) => b.usedAt - a.usedAt)
  for (const { id } of sorted.slice(MOST_TOKENS)) await forgetToken(home, id)
  return sorted.slice(0, MOST_TOKENS)
}

/** Keeps a token in a file for this user alone, written at once. @throws UsageError for a state folder that cannot be used */
export async function keepToken(home: string, token: KeptToken): Promise<void> {
  await ensureHome(home)
  await ensureHome(join(home, FOLDER))
  const { id, ...members } = token
  await writeState(home, join(FOLDER, `${id}.json`), `${JSON.stringify(members, undefined, 2)}\n`)
  await keptTokens(home)
}
