import {
  type ApiAccess,
  type ApiCredentials,
  isRealService,
  isThisMachine,
  REAL_SERVICE,
} from '../../cloudflare/client/access.js'
import { UsageError } from '../../errors.js'
import type { LabConfig } from '../../lab/config.js'
import { labTarget } from '../../targets/lab-target.js'
import { readCa, trustedPem } from '../../targets/trust.js'
import type { Globals } from '../globals.js'
import { narrate } from '../output.js'
import { givenCredentials } from './credentials.js'
import type { TargetFlags } from './target-options.js'

/** A way to the API, and what ends with the command. */
export interface ChosenAccess {
  readonly access: ApiAccess
  /** What to trust beside the well-known roots, PEM. */
  readonly caPem?: string
  /** Milliseconds since the epoch, by the clock of the lab where there is one. */
  readonly now: () => number
  /** Whether it is the API of a lab. */
  readonly lab: boolean
  /** The first zone of the lab file of a lab on this machine. */
  readonly firstZone?: { readonly id: string; readonly name: string }
  /** Whether that lab ends with this command. */
  readonly embedded: boolean
  stop(): Promise<void>
}

function baseUrl(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const plain = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url && [url.username, url.password, url.search, url.hash].some(part => part !== '')) {
    // It is not repeated: a secret may be in it.
    throw new UsageError(`${from} has more than a base URL: a user, a password, a query or a fragment`, [
      `It looks like ${REAL_SERVICE}`,
    ])
  }
  if (!url || !plain) {
    throw new UsageError(`${from} ${JSON.stringify(text)} is not the base URL of a DNS API`, [
      `It looks like ${REAL_SERVICE}`,
    ])
  }
  if (url.protocol === 'http:' && !isThisMachine(text)) {
    throw new UsageError(`${from} ${JSON.stringify(text)} is plain http: your key would travel readable`, [
      'Use https; plain http is for this machine alone',
    ])
  }
  return text.replace(/\/+$/, '')
}

function labCredentials({ effective: { dns = {} } }: LabConfig): ApiCredentials | undefined {
  const from = 'the lab file'
  if (dns.key && dns.email) return { kind: 'key', key: dns.key, email: dns.email, from }
  return dns.token ? { kind: 'token', token: dns.token, from } : undefined
}

async function labAccess(
  globals: Globals,
  own: ApiCredentials | undefined,
  check: (() => void) | undefined,
): Promise<ChosenAccess> {
  const use = { narrate, dns: true, ...(check && { check }) }
  const { urls, config, caPem, embedded, now, stop } = await labTarget(globals, use)
  try {
    if (urls.dns === undefined) {
      throw new UsageError(`the lab at ${urls.authorization} does not say where its DNS API is`, [
        'Name it:   --api-url https://localhost:8446/client/v4 --token-file FILE',
      ])
    }
    const credentials = own ?? labCredentials(config)
    if (credentials === undefined) throw new UsageError('the lab file has neither dns.key nor dns.token')
    const via = embedded ? 'the lab of this command' : `the lab at ${urls.authorization}`
    const access = { base: urls.dns, via, credentials }
    // A lab that was named can have another lab file than the one that is found here.
    const [zone] = globals.server === undefined ? (config.effective.dns?.zones ?? []) : []
    const firstZone = zone && { id: zone.id, name: zone.name }
    const more = { ...(caPem !== undefined && { caPem }), ...(firstZone && { firstZone }) }
    return { access, ...more, now, lab: true, embedded: embedded !== undefined, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What to trust at an address: the lab's own authority has no say about the real service. */
async function trustedAt(base: string, globals: Globals): Promise<string | undefined> {
  if (!isRealService(base)) return trustedPem(globals, base)
  return globals.cacert === undefined ? undefined : readCa(globals.cacert)
}

/** The base URL that was given: a flag, else the environment unless a lab was asked for by `--server`. */
function givenBase({ apiUrl }: TargetFlags, { server }: Globals, env: NodeJS.ProcessEnv) {
  if (apiUrl !== undefined) return { base: baseUrl(apiUrl, '--api-url'), via: '--api-url' }
  const variable = env.CLOUDFLARE_BASE_URL
  if (!variable || server !== undefined) return undefined
  return { base: baseUrl(variable, 'CLOUDFLARE_BASE_URL'), via: 'CLOUDFLARE_BASE_URL' }
}

/**
 * The API that options and environment mean: a base URL, else the real service where credentials were given, else
 * the lab in use with the credentials of its lab file.
 * @param check called before a lab is started for this command; throws for what would be refused then
 * @throws UsageError
 */
export async function chooseAccess(
  flags: TargetFlags,
  globals: Globals,
  env: NodeJS.ProcessEnv = process.env,
  check?: () => void,
): Promise<ChosenAccess> {
  const given = givenBase(flags, globals, env)
  const byFlag = flags.keyFile !== undefined || flags.tokenFile !== undefined || flags.email !== undefined
  // `--server` names a lab: what the environment holds is meant for somebody else.
  const own = globals.server === undefined || given || byFlag ? await givenCredentials(flags, env) : undefined
  if (given === undefined && (own === undefined || globals.server !== undefined))
    return labAccess(globals, own, check)
  const { base, via } = given ?? {
    base: REAL_SERVICE,
    via: 'your credentials, which are for the real service',
  }
  if (own === undefined) {
    throw new UsageError(`${via} ${base} needs credentials`, [
      'A token:            --token-file FILE   (or CLOUDFLARE_API_TOKEN)',
      'A key:              --key-file FILE --email YOU@EXAMPLE.COM   (or CLOUDFLARE_API_KEY, CLOUDFLARE_EMAIL)',
      'The lab has both:   leave the address out',
    ])
  }
  const caPem = await trustedAt(base, globals)
  const access = { base, via, credentials: own }
  return {
    access,
    ...(caPem !== undefined && { caPem }),
    ...{ now: Date.now, lab: false, embedded: false, stop: async () => {} },
  }
}
