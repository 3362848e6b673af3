import type { SigningAlgorithm } from '../../protocol/oauth/algorithms.js'
import type { AlgorithmKeyring, JwkSet } from '../../protocol/tokens/keys.js'
import { keepLatest } from '../../protocol/values.js'
import {
  type KeyChange,
  type KeyringOptions,
  type LabKeyring,
  openKeptKeyring,
  openKeyring,
} from './keyring.js'
import { isMade, type KeySet, OTHER_KEYS } from './signing-keys.js'

export type LabAlgorithmKeyring = LabKeyring & AlgorithmKeyring

export interface AlgorithmKeyringOptions extends KeyringOptions {
  /** Receives the first key of an algorithm. */
  readonly made: (change: KeyChange) => void
}

/** Makes the default key now, and a key of another algorithm when it first signs. @throws UsageError for a bad signing_key_file */
export async function openAlgorithmKeyring(options: AlgorithmKeyringOptions): Promise<LabAlgorithmKeyring> {
  return withAlgorithms(await openKeyring(options), options)
}

/** Keys that an earlier run made are read before the first request. */
function withAlgorithms(
  base: LabKeyring,
  options: Pick<AlgorithmKeyringOptions, 'home' | 'tokenLifetime' | 'rotated' | 'made'>,
): LabAlgorithmKeyring {
  const opened = new Map<SigningAlgorithm, LabKeyring>()
  const opening = new Map<SigningAlgorithm, Promise<LabKeyring>>()
  const exists = (set: KeySet) => isMade(options.home, set)
  /** Undefined before and after the keys of earlier runs are read. */
  let reading: Promise<void> | undefined
  let isRead = false
  const join = keepLatest((...sets: JwkSet[]): JwkSet => ({ keys: sets.flatMap(each => each.keys) }))

  async function openNow(set: KeySet): Promise<LabKeyring> {
    const isNew = !exists(set)
    const ring = await openKeptKeyring(options, set)
    opened.set(set.alg, ring)
    const { alg, kid } = ring.current() as KeyChange
    if (isNew) options.made({ kid, alg })
    return ring
  }

  function open(set: KeySet): Promise<LabKeyring> {
    const known = opening.get(set.alg)
    if (known !== undefined) return known
    const made = openNow(set).catch(error => {
      opening.delete(set.alg)
      throw error
    })
    opening.set(set.alg, made)
    return made
  }

  async function readExisting(): Promise<void> {
    const made = OTHER_KEYS.filter(exists)
    // A file that cannot be read fails where its key has to sign.
    await Promise.allSettled(made.map(open))
    isRead = true
    reading = undefined
  }

  return {
    current: base.current,
    async signingKey(alg) {
      const own = base.current()
      if (own.alg === alg) return own
      const set = OTHER_KEYS.find(each => each.alg === alg)
      const key = set && (await open(set)).current()
      if (key === undefined || key.alg === 'HS256') throw new Error(`there is no key for ${alg}`)
      return key
    },
    published: () => join(...[base, ...opened.values()].map(each => each.published())),
    refresh() {
      if (!isRead) reading ??= readExisting()
      const readings = [reading, ...[base, ...opened.values()].map(each => each.refresh())]
      const underWay = readings.filter(each => each !== undefined)
      return underWay.length === 0 ? undefined : Promise.all(underWay).then(() => {})
    },
  }
}
