import { readFile, stat } from 'node:fs/promises'
import { fileProblem, UsageError } from '../../protocol/errors.js'
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../../protocol/oauth/algorithms.js'
import { privateKeyProblem } from '../../protocol/tokens/given-keys.js'
import {
  generateSigningKeyPem,
  loadSigningKey,
  publicPem,
  type SigningKey,
  spkiKid,
} from '../../protocol/tokens/keys.js'
import { defined } from '../../protocol/values.js'
import { alone, ensureState } from '../state/alone.js'
import { readState, type StateHome, stateVersion, writeState } from '../state/state-folder.js'

/** For resource servers that read a file. */
export const PUBLIC_KEY_FILE = 'signing-public.pem'

const DAY = 86_400_000

export interface KeySet {
  readonly alg: SigningAlgorithm
  readonly file: string
  /** File of the public half of the newest key; absent: none. */
  readonly publicFile?: string
  /** Milliseconds. The tokens of any lab have expired by then. */
  readonly kept: number
  /** @throws Error for a PEM that holds no usable key */
  readonly load: (pem: string) => Promise<SigningKey>
}

export const AUTHORIZATION_KEYS: KeySet = {
  alg: 'RS256',
  file: 'signing-keys.json',
  publicFile: PUBLIC_KEY_FILE,
  kept: 7 * DAY,
  load: loadSigningKey,
}

/** The other keys by algorithm, made when a client first needs one. */
export const OTHER_KEYS: readonly KeySet[] = SIGNING_ALGORITHMS.filter(
  alg => alg !== AUTHORIZATION_KEYS.alg,
).map(alg => ({
  alg,
  file: `signing-keys-${alg.toLowerCase()}.json`,
  kept: AUTHORIZATION_KEYS.kept,
  load: pem => loadSigningKey(pem, alg),
}))

export function isMade(home: StateHome, { file }: KeySet): boolean {
  try {
    return stateVersion(home, file) !== undefined
  } catch {
    // A state folder that cannot be used is reported where the default keys are read.
    return false
  }
}

/** The default set, and those that a client needed. */
export function authorizationSets(home: StateHome): readonly [KeySet, ...KeySet[]] {
  return [AUTHORIZATION_KEYS, ...OTHER_KEYS.filter(set => isMade(home, set))]
}

/** The keys of the cluster, whose mounted tokens live for a year. */
export const CLUSTER_KEYS: KeySet = {
  alg: 'RS256',
  file: 'signing-keys-cluster.json',
  kept: 400 * DAY,
  async load(pem) {
    const key = await loadSigningKey(pem)
    const kid = spkiKid(key)
    return { ...key, kid, publicJwk: { ...key.publicJwk, kid } }
  },
}

/** Dates are milliseconds since the epoch. */
export interface KeptKey {
  readonly key: SigningKey
  /** PKCS#8. */
  readonly pem: string
  readonly createdAt: number
  /** Absent for the key that signs. */
  readonly retiredAt?: number
  /** The expiry of its last token, by the lab file of the command that retired it. */
  readonly tokensUntil?: number
}

/** Newest first; the first key signs. */
export type KeptKeys = readonly [KeptKey, ...KeptKey[]]

const MAX_KEYS = 20

function written(keys: KeptKeys): string {
  const time = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString())
  const entries = keys.map(({ key, pem, createdAt, retiredAt, tokensUntil }) => ({
    kid: key.kid,
    created_at: time(createdAt),
    retired_at: time(retiredAt),
    tokens_until: time(tokensUntil),
    pem,
  }))
  return `${JSON.stringify({ keys: entries }, undefined, 2)}\n`
}

/** @throws Error for text that holds no usable key */
async function parse(text: string, { load }: KeySet): Promise<KeptKeys> {
  const { keys } = JSON.parse(text) as {
    keys: { pem: string; created_at: string; retired_at?: string; tokens_until?: string }[]
  }
  const [newest, ...older] = await Promise.all(
    keys.map(async ({ pem, created_at: created, retired_at: retired, tokens_until: until }) =>
      defined({
        key: await load(pem),
        pem,
        createdAt: Date.parse(created),
        retiredAt: retired === undefined ? undefined : Date.parse(retired),
        tokensUntil: until === undefined ? undefined : Date.parse(until),
      }),
    ),
  )
  if (newest === undefined) throw new Error('no key')
  return [newest, ...older]
}

async function newKey({ load, alg }: KeySet, now: number): Promise<KeptKey> {
  const pem = await generateSigningKeyPem(alg)
  return { key: await load(pem), pem, createdAt: now }
}

/** Undefined without keys that can be used. */
export async function readSigningKeys(
  home: StateHome,
  set = AUTHORIZATION_KEYS,
): Promise<KeptKeys | undefined> {
  const text = await readState(home, set.file)
  try {
    return text === undefined ? undefined : await parse(text, set)
  } catch {
    // The caller replaces a broken file. Tokens of its keys can no longer be verified.
    return undefined
  }
}

/** For resource servers that read a file. */
export async function writePublicKey(home: StateHome, key: SigningKey): Promise<void> {
  await writeState(home, PUBLIC_KEY_FILE, publicPem(key), { mode: 0o644 })
}

async function publishKey(home: StateHome, { publicFile }: KeySet, key: SigningKey): Promise<void> {
  if (publicFile !== undefined) await writePublicKey(home, key)
}

/** The keys of the state folder, made on first use. */
export async function ensureSigningKeys(home: StateHome, set = AUTHORIZATION_KEYS): Promise<KeptKeys> {
  const read = (text: string) => parse(text, set).catch(() => undefined)
  const keys = await ensureState(home, set.file, read, async () => written([await newKey(set, Date.now())]))
  await publishKey(home, set, keys[0].key)
  return keys
}

export interface Rotation {
  /** Milliseconds. */
  readonly tokenLifetime: number
  readonly set?: KeySet
  /** Milliseconds since the epoch. */
  readonly now?: number
}

/** Older keys are kept while their tokens may be valid. */
export async function rotateSigningKeys(
  home: StateHome,
  { tokenLifetime, set = AUTHORIZATION_KEYS, now = Date.now() }: Rotation,
): Promise<KeptKeys> {
  const made = await ensureSigningKeys(home, set)
  return alone(home, set.file, async () => {
    const [signing, ...retired] = (await readSigningKeys(home, set)) ?? made
    const keys: KeptKeys = [
      await newKey(set, now),
      ...[{ ...signing, retiredAt: now, tokensUntil: now + tokenLifetime }, ...retired]
        .filter(({ retiredAt = now, tokensUntil = 0 }) => now < Math.max(retiredAt + set.kept, tokensUntil))
        .slice(0, MAX_KEYS - 1),
    ]
    await writeState(home, set.file, written(keys))
    await publishKey(home, set, keys[0].key)
    return keys
  })
}

/** @param file absolute path @throws UsageError where it holds no RSA key */
export async function readKeyFile(file: string): Promise<KeptKey> {
  let pem = ''
  try {
    pem = await readFile(file, 'utf8')
    const { mtimeMs } = await stat(file)
    return { key: await loadSigningKey(pem), pem, createdAt: Math.floor(mtimeMs) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code?.startsWith('ERR_')
      ? `it is no PKCS#8 PEM key: ${privateKeyProblem(pem)}`
      : code === undefined
        ? message
        : fileProblem(error)
    throw new UsageError(`signing_key_file ${file}: ${why}`, [
      `Make one:  openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out ${file}`,
    ])
  }
}
