import type { SigningAlgorithm } from '../../protocol/oauth/algorithms.js'
import { fixedKeyring, type JwkSet, type Keyring, loadSharedSecret } from '../../protocol/tokens/keys.js'
import { STAGES, type StageName } from '../../servers/authorization-server/stages/stages.js'
import { type StateHome, stateVersion } from '../state/state-folder.js'
import {
  AUTHORIZATION_KEYS,
  ensureSigningKeys,
  type KeptKey,
  type KeptKeys,
  type KeySet,
  readKeyFile,
  readSigningKeys,
  writePublicKey,
} from './signing-keys.js'
import { ensureSigningSecret } from './signing-secret.js'

/** A keyring that follows the state folder. */
export interface LabKeyring extends Keyring {
  /**
   * Reads keys that `keys rotate` made. It is cheap enough to be called before every request, so that no timer or watcher is
   * needed: it checks the date of the file at most every 10 ms.
   */
  refresh(): Promise<void> | undefined
}

/** A key that signs from now on. */
export interface KeyChange {
  readonly kid: string
  readonly alg: SigningAlgorithm
}

/** The options that decide which keys sign. */
export interface KeyringOptions {
  readonly home: StateHome
  readonly stage: StageName
  readonly signingSecret?: string
  /** Absolute path of the lab file's `signing_key_file`. Such a key is not rotated. */
  readonly signingKeyFile?: string
  /** Longest lifetime of a signed token, in milliseconds. */
  readonly tokenLifetime: number
  /** Receives the ids of the new key and of the one it replaces. */
  readonly rotated: (change: KeyChange & { readonly retired: string }) => void
}

/** Shortest time between two checks of the key file, in milliseconds. No `keys rotate` ends faster. */
const PAUSE = 10

/** Milliseconds that a retired key is published after its tokens expired, because clocks differ. */
const SLACK = 60_000

/**
 * The end of a key's publication, in milliseconds since the epoch, by the real clock. The program that retired the key may
 * have recorded a later end, when its tokens live longer.
 * @param tokenLifetime longest lifetime of a token of this lab, in milliseconds
 */
export function publishedUntil(
  { retiredAt, tokensUntil = 0 }: Pick<KeptKey, 'retiredAt' | 'tokensUntil'>,
  tokenLifetime: number,
): number {
  if (retiredAt === undefined) return Number.POSITIVE_INFINITY
  return Math.max(retiredAt + tokenLifetime, tokensUntil) + SLACK
}

/**
 * Opens the default keys of a lab, and makes them when they are missing.
 * @throws UsageError for a signing_key_file without a key
 */
export async function openKeyring(options: KeyringOptions): Promise<LabKeyring> {
  const { home, stage, signingSecret, signingKeyFile } = options
  const unchanging = (keyring: Keyring): LabKeyring => ({ ...keyring, refresh: () => undefined })
  if (STAGES[stage].signing === 'HS256') {
    const secret = signingSecret ?? (await ensureSigningSecret(home))
    return unchanging(fixedKeyring(loadSharedSecret(secret)))
  }
  if (signingKeyFile === undefined) return openKeptKeyring(options)
  const { key } = await readKeyFile(signingKeyFile)
  await writePublicKey(home, key)
  return unchanging(fixedKeyring(key))
}

/**
 * Opens keys of the state folder, and makes them when they are missing.
 * @param set the site that they belong to
 */
export async function openKeptKeyring(
  { home, tokenLifetime, rotated }: Pick<KeyringOptions, 'home' | 'tokenLifetime' | 'rotated'>,
  set: KeySet = AUTHORIZATION_KEYS,
): Promise<LabKeyring> {
  const version = () => stateVersion(home, set.file)
  let keys = await ensureSigningKeys(home, set)
  let seen = version()
  let checkedAt = Number.NEGATIVE_INFINITY
  let published = publishedKeys(keys, tokenLifetime)
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const found = await readSigningKeys(home, set)
    // A file that was removed or broken changes nothing: the keys are in memory.
    if (found === undefined || found[0].key.kid === keys[0].key.kid) return
    const retired = keys[0].key.kid
    keys = found
    published = publishedKeys(keys, tokenLifetime)
    rotated({ kid: keys[0].key.kid, alg: set.alg, retired })
  }

  return {
    current: () => keys[0].key,
    published() {
      if (Date.now() >= published.until) published = publishedKeys(keys, tokenLifetime)
      return published.jwks
    },
    refresh() {
      const now = performance.now()
      if (now < checkedAt + PAUSE) return reading
      checkedAt = now
      const found = version()
      if (found !== seen) {
        seen = found
        reading = read().finally(() => {
          reading = undefined
        })
      }
      return reading
    },
  }
}

/** The keys to publish now, and the time at which the first of them has to go. */
function publishedKeys(keys: KeptKeys, tokenLifetime: number): { jwks: JwkSet; until: number } {
  const now = Date.now()
  const alive = keys.filter(each => now < publishedUntil(each, tokenLifetime))
  return {
    jwks: { keys: alive.map(({ key }) => key.publicJwk) },
    until: Math.min(...alive.map(each => publishedUntil(each, tokenLifetime))),
  }
}
