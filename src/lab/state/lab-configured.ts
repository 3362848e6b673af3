import type { LabEvent, NewEvent } from '../../protocol/events.js'
import { isConfidential } from '../../protocol/oauth/client.js'
import { shownWeak } from '../../protocol/rules/weak-modes.js'
import { STAGES } from '../../servers/authorization-server/stages/stages.js'
import type { KeptKey } from '../keys/signing-keys.js'
import type { LabConfig } from '../lab-file/config.js'
import { readRecords } from './running.js'

/**
 * The settings of a lab that still runs on this machine, from its record.
 * @param ready the first event of the lab
 * @param home the state folder
 */
export async function configuredAs({ pid }: LabEvent, home: string): Promise<LabEvent | undefined> {
  const record = (await readRecords(home)).find(each => each.pid === pid)
  if (record === undefined) return undefined
  const { loadLabConfig } = await import('../lab-file/config.js')
  const config = await loadLabConfig(record.config)
  const { stage = config.stage, profile = config.profile, weak = [] } = record
  const configured = await labConfigured({ ...config, stage, profile, weak }, home)
  return { ...configured, at: new Date(record.startedAt).toISOString() }
}

/** Clients, and users. */
const MOST = 100

/** Newest first; empty when the lab signs with a shared secret. */
async function keysOf(config: LabConfig, home: string): Promise<readonly KeptKey[]> {
  const { authorizationSets, readKeyFile, readSigningKeys } = await import('../keys/signing-keys.js')
  if (STAGES[config.stage].signing === 'HS256') return []
  const { publishedUntil } = await import('../keys/keyring.js')
  const [usual, ...others] = authorizationSets(home)
  const given = config.signingKeyFile === undefined ? [] : [await readKeyFile(config.signingKeyFile)]
  const sets = config.signingKeyFile === undefined ? [usual, ...others] : others
  const kept = await Promise.all(sets.map(async set => (await readSigningKeys(home, set)) ?? []))
  const isPublished = (key: KeptKey) => Date.now() < publishedUntil(key, config.lifetimes.accessToken)
  return [...given, ...kept.flat().filter(isPublished)]
}

/**
 * The settings of a lab for a dashboard, without secrets. The lab itself does not publish the event: `serve --json` prints
 * nothing until something happens. @param home the state folder
 */
export async function labConfigured(config: LabConfig, home: string): Promise<NewEvent> {
  const { clients, users, lifetimes, stage, profile, compression, weak, file } = config
  const keys = await keysOf(config, home)
  return {
    type: 'lab.configured',
    stage,
    profile,
    compression,
    ...(weak.length > 0 && { weak: shownWeak(weak) }),
    config: file,
    code_lifetime: lifetimes.code / 1000,
    access_token_lifetime: lifetimes.accessToken / 1000,
    refresh_token_lifetime: lifetimes.refreshToken / 1000,
    clients: clients.slice(0, MOST).map(client => ({
      client_id: client.client_id,
      confidential: isConfidential(client),
      enabled: client.enabled,
      redirect_uris: client.redirect_uris.length,
    })),
    users: users.slice(0, MOST).map(({ username }) => username),
    keys: keys.map(({ key: { kid, alg }, retiredAt }) => ({ kid, alg, signs: retiredAt === undefined })),
  }
}
