import type { MacTokens } from '../authorization-server/mac-tokens.js'
import type { AssertionIssuer } from '../authorization-server/settings.js'
import { STAGES } from '../authorization-server/stages.js'
import type { Site } from '../http/site.js'
import type { LabKeyring } from './keyring.js'
import type { Lab, LabOptions } from './lab.js'
import { lateSite } from './late-site.js'
import type { Mounts } from './mounts.js'

/** What the sites of a lab share. */
export interface SitePorts extends Pick<Lab, 'now' | 'random'>, Pick<Mounts, 'certificates' | 'events'> {
  readonly keyring: LabKeyring
  /** Left out: the built-in one. */
  readonly assertionIssuers?: readonly AssertionIssuer[]
}

/** The sites of a lab by their base URLs. The program of each is read at its first request. */
export interface LabSites {
  authorization(issuer: string): Site
  resource(baseUrl: string, issuer: string): Site
  cluster(baseUrl: string): Site
  dns(): Site
}

/** The site, which signs with the keys that were made last. */
function withFreshKeys(keyring: LabKeyring, { name, handle }: Site): Site {
  return {
    name,
    handle(request) {
      const reading = keyring.refresh()
      return reading === undefined ? handle(request) : reading.then(() => handle(request))
    },
  }
}

/** Keys of the tokens of type `mac`, which both servers of OAuth know. */
function sharedMacTokens({ config }: LabOptions, { now, random }: SitePorts): () => Promise<MacTokens> {
  let tokens: MacTokens | undefined
  return async () => {
    const { createMacTokens } = await import('../authorization-server/mac-tokens.js')
    tokens ??= createMacTokens({ lifetime: config.lifetimes.accessToken, now, random })
    return tokens
  }
}

/** Whom the authorization server believes; the built-in issuer with its key is made at the first assertion. */
function issuersOf(
  { assertionIssuers: named }: SitePorts,
  home: LabOptions['home'],
): () => Promise<readonly AssertionIssuer[]> {
  let found: Promise<readonly AssertionIssuer[]> | undefined
  async function find(): Promise<readonly AssertionIssuer[]> {
    if (named !== undefined) return named
    const { builtInAssertionIssuer } = await import('./built-in-assertion-issuer.js')
    return [await builtInAssertionIssuer(home)]
  }
  return () => {
    found ??= find().catch(error => {
      found = undefined
      throw error
    })
    return found
  }
}

/** How the sites of a lab are made. */
export function labSites(options: LabOptions, ports: SitePorts): LabSites {
  const { config, home } = options
  const { keyring, certificates, now, random } = ports
  const { publish } = ports.events
  const macTokens = sharedMacTokens(options, ports)
  const assertionIssuers = issuersOf(ports, home)

  return {
    authorization: issuer =>
      lateSite('authorization', async () => {
        const [{ createAuthorizationServer }, { withPayloads }] = await Promise.all([
          import('../authorization-server/server.js'),
          import('../compression/payload.js'),
        ])
        const settings = { ...config, issuer, faults: options.faults ?? [], assertionIssuers }
        const shared = { now, random, publish, keyring, macTokens: await macTokens() }
        return withPayloads(withFreshKeys(keyring, createAuthorizationServer(settings, shared)))
      }),

    resource: (baseUrl, issuer) =>
      lateSite('resource', async () => {
        const [{ createResourceServer }, { labResourceSettings }, { createFetchJson }] = await Promise.all([
          import('../resource-server/server.js'),
          import('./resource-settings.js'),
          import('./fetch-json.js'),
        ])
        const issuesMac = STAGES[config.stage].signing !== 'nothing' && config.profile === 'standard'
        const fetchJson = createFetchJson({ caPem: certificates.caPem, roots: false })
        const site = createResourceServer(labResourceSettings({ config, keyring, issuer, baseUrl }), {
          ...{ now, random, publish, fetchJson },
          ...(issuesMac && { macKeys: (await macTokens()).find }),
        })
        return withFreshKeys(keyring, site)
      }),

    cluster: baseUrl =>
      lateSite('cluster', async () => {
        const { labCluster } = await import('./cluster.js')
        const place = { home, baseUrl, issuer: options.clusterIssuer }
        return labCluster(config.cluster, place, { now, random, publish })
      }),

    dns: () =>
      lateSite('dns', async () => {
        const { labDns } = await import('./dns.js')
        return labDns(config.effective, { now, random, publish })
      }),
  }
}
