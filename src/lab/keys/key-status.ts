import { clusterTokenLifetime } from '../lab-file/cluster-config.js'
import { type LabConfig, loadLabConfig } from '../lab-file/config.js'
import { readRecords } from '../state/running.js'
import { publishedUntil } from './keyring.js'
import {
  authorizationSets,
  CLUSTER_KEYS,
  ensureSigningKeys,
  type KeptKey,
  type KeySet,
  readKeyFile,
} from './signing-keys.js'

export interface KeySetOptions {
  readonly cluster?: true
}

export interface KeyStatus {
  readonly kid: string
  readonly alg: string
  readonly state: 'signs' | 'published' | 'retired'
  readonly created_at: string
  readonly retired_at?: string
  readonly published_until?: string
}

/** The lab file in effect: the named one, else that of the newest running lab. @throws UsageError */
export async function labFileInEffect(named: string | undefined, home: string): Promise<LabConfig> {
  return loadLabConfig(named ?? (await readRecords(home))[0]?.config)
}

/** Without the key of a signing_key_file. */
export function rotatedSets(
  home: string,
  { signingKeyFile }: LabConfig,
  { cluster }: KeySetOptions,
): readonly KeySet[] {
  if (cluster) return [CLUSTER_KEYS]
  const [usual, ...others] = authorizationSets(home)
  return signingKeyFile === undefined ? [usual, ...others] : others
}

/** Default algorithm first, newest keys first. Makes a key when there is none. */
export async function keySet(
  home: string,
  config: LabConfig,
  options: KeySetOptions,
): Promise<readonly KeptKey[]> {
  const { signingKeyFile } = config
  const given = signingKeyFile === undefined || options.cluster ? [] : [await readKeyFile(signingKeyFile)]
  const made = await Promise.all(rotatedSets(home, config, options).map(set => ensureSigningKeys(home, set)))
  return [...given, ...made.flat()]
}

/** Milliseconds. */
export function tokenLifetime(config: LabConfig, { cluster }: KeySetOptions): number {
  return cluster ? clusterTokenLifetime(config.cluster) : config.lifetimes.accessToken
}

export function keyStatus(each: KeptKey, config: LabConfig, options: KeySetOptions): KeyStatus {
  const { key, createdAt, retiredAt } = each
  const { kid, alg } = key
  const created = { kid, alg, created_at: new Date(createdAt).toISOString() }
  if (retiredAt === undefined) return { ...created, state: 'signs' }
  const until = publishedUntil(each, tokenLifetime(config, options))
  return {
    ...created,
    state: Date.now() < until ? 'published' : 'retired',
    retired_at: new Date(retiredAt).toISOString(),
    published_until: new Date(until).toISOString(),
  }
}
