import { randomBytes, randomFillSync } from 'node:crypto'
import { UsageError } from '../protocol/errors.js'
import { isPairwise } from '../protocol/oauth/client-metadata.js'
import { shownWeak, weakNamesAt } from '../protocol/rules/weak-modes.js'
import { defined } from '../protocol/values.js'
import type { RegistrationSettings } from '../servers/authorization-server/settings.js'
import { STAGES } from '../servers/authorization-server/stages/stages.js'
import { createRegisteredClients } from '../servers/authorization-server/stores/registry.js'
import { openAlgorithmKeyring } from './keys/algorithm-keyring.js'
import type { LabConfig } from './lab-file/config.js'
import { isLocal } from './lab-file/names.js'
import { type LabUrls, LISTENERS, type ListenerName, listenerNames } from './listening/listeners.js'
import { openMounts } from './listening/mounts.js'
import { mutualTlsPort } from './listening/mutual-tls.js'
import type { Lab, LabOptions } from './model.js'
import type { RegistrationMode } from './schema/registration-modes.js'
import { loadAssertionIssuers, loadJwks } from './sites/assertion-issuers.js'
import { labSites } from './sites/sites.js'
import { refuseWeak, withWeakNeeds } from './weak/weak-lab.js'

const POOL_BYTES = 4096

const MAX_POOLED = 256

/**
 * Unpredictable bytes from a pool, as Node does for `randomUUID`: a call of the system for each few bytes would be slow.
 * Bytes that were handed out are wiped.
 */
export function pooledRandom(): (length: number) => Uint8Array {
  const pool = Buffer.alloc(POOL_BYTES)
  let used = POOL_BYTES
  return length => {
    if (length > MAX_POOLED) return randomBytes(length)
    if (used + length > POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const from = used
    used += length
    const bytes = Buffer.from(pool.subarray(from, used))
    pool.fill(0, from, used)
    return bytes
  }
}

/** `off` where the stage or profile publishes no endpoint. */
function registrationMode(
  { registration, stage, profile }: Pick<LabConfig, 'registration' | 'stage' | 'profile'>,
  host: string | undefined,
): RegistrationMode {
  if (!STAGES[stage].published || profile === 'reference') return 'off'
  const usual = isLocal(host) ? 'open' : 'off'
  return registration.mode ?? usual
}

/** Undefined for a lab without the endpoint. @throws UsageError for unreadable keys of software statements */
export async function registrationSettings(
  config: LabConfig,
  host: string | undefined,
): Promise<RegistrationSettings | undefined> {
  const mode = registrationMode(config, host)
  if (mode === 'off') return undefined
  const { tokens, statementIssuerFiles } = config.registration
  const statementIssuers = await Promise.all(
    statementIssuerFiles.map(async ({ issuer, jwksFile }) => ({ issuer, jwks: await loadJwks(jwksFile) })),
  )
  return { mode, tokens, statementIssuers, rate: config.rateLimits.registration }
}

/** @throws UsageError for the reference profile on a public address, with faults, or with pairwise clients */
function refuseReference({ profile, clients }: LabConfig, { host, faults = [] }: LabOptions): void {
  if (profile !== 'reference') return
  if (!isLocal(host)) {
    throw new UsageError(`the profile reference is for this machine only, not for --host ${host}`, [
      'It redirects anywhere and checks almost nothing; leave --host out',
    ])
  }
  if (faults.length > 0) {
    throw new UsageError('the profile reference has no --fail', ['Use --fail with --profile standard'])
  }
  const pairwise = clients.find(isPairwise)
  if (pairwise !== undefined) {
    throw new UsageError(
      `the profile reference has no pairwise subjects, as client ${pairwise.client_id} needs`,
      ['Its tokens name every person by the username; leave --profile out, or subject_type'],
    )
  }
}

/** @throws UsageError for a login without a password on a public address */
function refusePublicChooser({ accountChooser }: LabConfig, { host }: LabOptions): void {
  if (accountChooser === undefined || accountChooser === 'off' || isLocal(host)) return
  throw new UsageError(`the login page offers users on this machine only, not for --host ${host}`, [
    'Everyone who reaches it would log in without a password; leave --pick and account_chooser out',
  ])
}

/** @throws UsageError for a profile at a stage without metadata */
function refuseUnpublished({ profile, stage }: LabConfig): void {
  if (profile !== 'fapi2' || STAGES[stage].published) return
  throw new UsageError(`the profile fapi2 needs the stage published-keys, not ${stage}`, [
    'Clients read its metadata and keys (FAPI 2.0 Security Profile §5.3.2.1-1); leave --stage out',
  ])
}

/** The weak modes of the demo client open its port too. Undefined: closed. */
function clientPort({ ports, config }: LabOptions): number | undefined {
  if (ports.client !== undefined || weakNamesAt('demo-client', config.weak).length === 0) return ports.client
  return ports.authorization === 0 ? 0 : LISTENERS.client.port
}

/** @throws UsageError, or TransportError for a busy port. Sites that were started are stopped first. */
export async function startLab(given: LabOptions): Promise<Lab> {
  const options = { ...given, config: withWeakNeeds(given.config) }
  const { config, home, ports, now = Date.now, random = pooledRandom(), around = site => site } = options
  refuseReference(config, options)
  refuseUnpublished(config)
  refusePublicChooser(config, options)
  refuseWeak(options)
  // In parallel, because keys are made in other threads.
  const [assertionIssuers, registration, mounts, keyring] = await Promise.all([
    config.given.includes('assertion_issuers')
      ? loadAssertionIssuers(config.assertionIssuerFiles)
      : undefined,
    registrationSettings(config, options.host),
    openMounts({ ...options, compression: config.compression, weak: shownWeak(config.weak) }),
    openAlgorithmKeyring({
      ...config,
      home,
      tokenLifetime: config.lifetimes.accessToken,
      made: change => mounts.events.publish({ type: 'key.made', ...change }),
      rotated: change => mounts.events.publish({ type: 'key.rotated', ...change }),
    }),
  ])
  const { certificates, events, trace, requestOn, mount, stop } = mounts
  const mtlsPort = mutualTlsPort(options)
  const clientCaPem =
    mtlsPort === undefined
      ? undefined
      : (await (await import('./certificates/client-authority.js')).ensureClientAuthority(home)).certPem
  const opened: { -readonly [Name in keyof LabUrls]?: LabUrls[Name] } = {}
  const registeredClients = createRegisteredClients()
  const shared = {
    now,
    random,
    certificates,
    clientCaPem,
    events,
    trace,
    keyring,
    registeredClients,
    urls: () => opened,
  }
  const sites = labSites(options, defined({ ...shared, assertionIssuers, registration }))
  const open = async (name: ListenerName, port: number, issuer?: string): Promise<string> => {
    const { make, prefix = '', ...how } = sites[name]
    const { portOption } = LISTENERS[name]
    const site = (baseUrl: string) => around(make(baseUrl, issuer ?? baseUrl))
    return (await mount({ ...how, port, portOption, site })).baseUrl + prefix
  }
  try {
    const issuer = await open('authorization', ports.authorization)
    const urls = Object.assign(opened, { authorization: issuer })
    // The listener of the issuer is open already, and stays.
    for (const name of listenerNames) {
      const port = { ...ports, client: clientPort(options), mtls: mtlsPort }[name]
      if (port !== undefined) urls[name] ??= await open(name, port, issuer)
    }
    const { caPem } = certificates
    return {
      urls,
      certificates,
      caPem,
      config,
      events,
      requestOn,
      now,
      random,
      stop,
      removeClient(id) {
        const isRemoved = registeredClients.remove(id)
        if (isRemoved) events.publish({ type: 'client.deleted', client_id: id, by: 'lab' })
        return isRemoved
      },
      get caFile() {
        return certificates.caFile
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
