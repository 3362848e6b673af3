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
  /** Reads keys that `keys rotate` made. It checks the date of the file at most every 10 ms, so every request may call it. */
  refresh(): Promise<void> | undefined
}

export interface KeyChange {
  readonly kid: string
  readonly alg: SigningAlgorithm
}

export interface KeyringOptions {
  readonly home: StateHome
  readonly stage: StageName
  readonly signingSecret?: string
  /** Absolute path. Such a key is not rotated. */
  readonly signingKeyFile?: string
  /** Milliseconds. */
  readonly tokenLifetime: number
  readonly rotated: (change: KeyChange & { readonly retired: string }) => void
}

/** Milliseconds between two checks of the key file. No `keys rotate` ends faster. */
const PAUSE = 10

/** Milliseconds that a retired key is published after its tokens expired, because clocks differ. */
const SLACK = 60_000

/** Milliseconds since the epoch, by the real clock. The program that retired the key may have recorded a later end. */
export function publishedUntil(
  { retiredAt, tokensUntil = 0 }: Pick<KeptKey, 'retiredAt' | 'tokensUntil'>,
  tokenLifetime: number,
): number {
  if (retiredAt === undefined) return Number.POSITIVE_INFINITY
  return Math.max(retiredAt + tokenLifetime, tokensUntil) + SLACK
}

/** Opens or makes the default keys. @throws UsageError for a signing_key_file without a key */
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

/** Opens or makes keys of the state folder. */
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

/** Also returns the time at which the first key has to go. */
function publishedKeys(keys: KeptKeys, tokenLifetime: number): { jwks: JwkSet; until: number } {
  const now = Date.now()
  const alive = keys.filter(each => now < publishedUntil(each, tokenLifetime))
  return {
    jwks: { keys: alive.map(({ key }) => key.publicJwk) },
    until: Math.min(...alive.map(each => publishedUntil(each, tokenLifetime))),
  }
}
