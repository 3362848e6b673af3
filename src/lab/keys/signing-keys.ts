import { readFile, stat } from 'node:fs/promises'
import { UsageError } from '../../protocol/errors.js'
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../../protocol/oauth/algorithms.js'
import {
  generateSigningKeyPem,
  loadSigningKey,
  publicPem,
  type SigningKey,
  spkiKid,
} from '../../protocol/tokens/keys.js'
import { defined } from '../../protocol/values.js'
import { readState, type StateHome, stateVersion, writeState } from '../state/state-folder.js'

/** The file with the public half of the newest key, for resource servers that read a file. */
export const PUBLIC_KEY_FILE = 'signing-public.pem'

const DAY = 86_400_000

/** Keys of one server and one algorithm in the state folder. */
export interface KeySet {
  readonly alg: SigningAlgorithm
  /** Name of the file that holds them, 0600. */
  readonly file: string
  /** Name of the file that holds the public half of the newest key; absent: no such file. */
  readonly publicFile?: string
  /** Milliseconds that retired keys are kept. The tokens of any lab have expired by then. */
  readonly kept: number
  /** @throws Error for a PEM that holds no usable key */
  readonly load: (pem: string) => Promise<SigningKey>
}

/** The default keys of the authorization server. */
export const AUTHORIZATION_KEYS: KeySet = {
  alg: 'RS256',
  file: 'signing-keys.json',
  publicFile: PUBLIC_KEY_FILE,
  kept: 7 * DAY,
  load: loadSigningKey,
}

/** The other keys of the authorization server, by algorithm. Each file is made when a client first needs its algorithm. */
export const OTHER_KEYS: readonly KeySet[] = SIGNING_ALGORITHMS.filter(
  alg => alg !== AUTHORIZATION_KEYS.alg,
).map(alg => ({
  alg,
  file: `signing-keys-${alg.toLowerCase()}.json`,
  kept: AUTHORIZATION_KEYS.kept,
  load: pem => loadSigningKey(pem, alg),
}))

/** True when the state folder has the keys of a set. */
export function isMade(home: StateHome, { file }: KeySet): boolean {
  try {
    return stateVersion(home, file) !== undefined
  } catch {
    // A state folder that cannot be used is reported where the default keys are read.
    return false
  }
}

/** The key sets of the authorization server: the default one, and those that a client needed. */
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

/** A signing key with its dates, milliseconds since the epoch. */
export interface KeptKey {
  readonly key: SigningKey
  /** PKCS#8. */
  readonly pem: string
  readonly createdAt: number
  /** The time at which another key replaced this one; absent for the key that signs. */
  readonly retiredAt?: number
  /** The time at which the last token of the key expires, by the lab file of the command that retired it. */
  readonly tokensUntil?: number
}

/** The keys of the state folder, newest first; the first one signs. */
export type KeptKeys = readonly [KeptKey, ...KeptKey[]]

/** Largest number of kept keys. */
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

/** The keys of the state folder; undefined when it has none that can be used. */
export async function readSigningKeys(
  home: StateHome,
  set = AUTHORIZATION_KEYS,
): Promise<KeptKeys | undefined> {
  const text = await readState(home, set.file)
  try {
    return text === undefined ? undefined : await parse(text, set)
  } catch {
    // The caller replaces a broken file. Tokens that were signed with its keys can no longer be verified.
    return undefined
  }
}

/** Writes the public half of the signing key to a file for resource servers. */
export async function writePublicKey(home: StateHome, key: SigningKey): Promise<void> {
  await writeState(home, PUBLIC_KEY_FILE, publicPem(key), { mode: 0o644 })
}

async function publishKey(home: StateHome, { publicFile }: KeySet, key: SigningKey): Promise<void> {
  if (publicFile !== undefined) await writePublicKey(home, key)
}

/** The keys of the state folder, made on first use. */
export async function ensureSigningKeys(home: StateHome, set = AUTHORIZATION_KEYS): Promise<KeptKeys> {
  let keys = await readSigningKeys(home, set)
  if (keys === undefined) {
    const broken = (await readState(home, set.file)) !== undefined
    const made: KeptKeys = [await newKey(set, Date.now())]
    // Of two programs that start at the same time one makes the keys, and both use them.
    keys = await parse(await writeState(home, set.file, written(made), { exclusive: !broken }), set)
  }
  await publishKey(home, set, keys[0].key)
  return keys
}

/** The options of a rotation. */
export interface Rotation {
  /** Longest lifetime of a signed token, in milliseconds. */
  readonly tokenLifetime: number
  /** By default the keys of the authorization server. */
  readonly set?: KeySet
  /** Milliseconds since the epoch; by default the time of the real clock. */
  readonly now?: number
}

/** Makes a key that signs from now on. Older keys are kept while their tokens may be valid. */
export async function rotateSigningKeys(
  home: StateHome,
  { tokenLifetime, set = AUTHORIZATION_KEYS, now = Date.now() }: Rotation,
): Promise<KeptKeys> {
  const [signing, ...retired] = await ensureSigningKeys(home, set)
  const keys: KeptKeys = [
    await newKey(set, now),
    ...[{ ...signing, retiredAt: now, tokensUntil: now + tokenLifetime }, ...retired]
      .filter(({ retiredAt = now, tokensUntil = 0 }) => now < Math.max(retiredAt + set.kept, tokensUntil))
      .slice(0, MAX_KEYS - 1),
  ]
  await writeState(home, set.file, written(keys))
  await publishKey(home, set, keys[0].key)
  return keys
}

/**
 * The key of the lab file's `signing_key_file`.
 * @param file absolute path
 * @throws UsageError where it holds no RSA key
 */
export async function readKeyFile(file: string): Promise<KeptKey> {
  try {
    const pem = await readFile(file, 'utf8')
    const { mtimeMs } = await stat(file)
    return { key: await loadSigningKey(pem), pem, createdAt: Math.floor(mtimeMs) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code?.startsWith('ERR_')
          ? 'it is no PKCS#8 PEM key'
          : message
    throw new UsageError(`signing_key_file ${file}: ${why}`, [
      `Make one:  openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out ${file}`,
    ])
  }
}
