import { originsOf } from '../../client/bound-credentials.js'
import { createTransport } from '../../client/transport.js'
import type { LabConfig } from '../../lab/lab-file/config.js'
import { readRecords } from '../../lab/state/running.js'
import { UsageError } from '../../protocol/errors.js'
import { baseUrl, quotedUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { withoutEnd } from '../../protocol/values.js'
import {
  type ApiAccess,
  type ApiCredentials,
  type ApiRequest,
  createService,
  fitsHeader,
  isRealService,
  isThisMachine,
  MAX_ANSWER,
  REAL_SERVICE,
  type Service,
  type Wait,
} from '../../servers/cloudflare/client/service.js'
import { chooseZone } from '../../servers/cloudflare/client/zones.js'
import type { Zone } from '../../servers/cloudflare/shapes.js'
import { readFileOrStdin } from '../input/input.js'
import { type LabOptions, labTarget, neighbour, reportUnused } from './lab.js'
import { outside, type Target, targetFrom, trustedPem, trustedWith } from './target.js'

/** The options that name an account of the DNS and security-event API. */
interface DnsOptions extends LabOptions, DnsCredentialOptions {
  readonly apiUrl?: string | undefined
  /** Name or identifier. */
  readonly zone?: string | undefined
  readonly timeoutMs: number
}

/** The callbacks of a run that uses an account, and its environment. */
export interface DnsUse {
  /** Reports in one line that a lab was started. */
  readonly narrate: (line: string) => void
  /** Ends requests and waits. */
  readonly signal?: AbortSignal
  /** Throws for a mistake that must be reported before a lab is started. */
  readonly check?: () => void
  /** Called before each wait; by default `narrate` reports it. */
  readonly waiting?: (wait: Wait) => void
  /** Called with each exchange, refused and repeated ones included. */
  readonly seen?: ((exchange: Exchange, request: ApiRequest, access: ApiAccess) => void) | undefined
  readonly env?: NodeJS.ProcessEnv
}

/** The identifier and the name of a zone. */
type ZoneName = Pick<Zone, 'id' | 'name'>

/** An account of the DNS and security-event API: a lab's, the real service's, or that of another emulator. */
export interface DnsAccount extends Target {
  readonly service: Service
  /**
   * Finds the zone of the run: `--zone` or CLOUDFLARE_ZONE_ID, else the zone that one of the names is in, else the only zone, and on
   * this machine the first.
   * @throws UsageError when several zones are left; ApiRefusal, ClientRefusal
   */
  zone(names?: readonly string[]): Promise<Zone>
  /**
   * The zone, when it is known without a request: a given identifier, which is used as the name as well, or the first zone of the lab
   * file. An identifier has no dot.
   */
  readonly knownZone?: ZoneName
  /** True when the lab, and every change in it, ends with this run. */
  readonly embedded: boolean
}

/** An account and the access to it, before the transport is made. */
interface Found extends Target {
  readonly access: ApiAccess
  readonly lab: boolean
  readonly embedded: boolean
  readonly firstZone?: ZoneName
}

/** Checks the base URL of a DNS API. @throws UsageError */
function readBase(text: string, from: string): string {
  const url = baseUrl(text)
  if (url === undefined) {
    throw new UsageError(`${from} ${quotedUrl(text)} is not the base URL of a DNS API`, [
      `It is http or https, without user, password, query and fragment, such as ${REAL_SERVICE}`,
    ])
  }
  if (url.protocol === 'http:' && !isThisMachine(text)) {
    throw new UsageError(`${from} ${quotedUrl(text)} is plain http: your key would travel readable`, [
      'Use https; plain http is for this machine alone',
    ])
  }
  return withoutEnd(text, '/')
}

/** The base URL of the options, else of the environment. `--server` names a lab: the environment does not count then. */
function givenBase({ apiUrl, server }: DnsOptions, env: NodeJS.ProcessEnv) {
  if (apiUrl !== undefined) return { base: readBase(apiUrl, '--api-url'), via: '--api-url' }
  const variable = env.CLOUDFLARE_BASE_URL
  if (!variable || server !== undefined) return undefined
  return { base: readBase(variable, 'CLOUDFLARE_BASE_URL'), via: 'CLOUDFLARE_BASE_URL' }
}

/** @throws UsageError */
function labCredentials({ effective: { dns = {} } }: LabConfig): ApiCredentials {
  const from = 'the lab file'
  if (dns.key && dns.email) return { kind: 'key', key: dns.key, email: dns.email, from }
  if (dns.token) return { kind: 'token', token: dns.token, from }
  throw new UsageError('the lab file has neither dns.key nor dns.token')
}

function labAccount(
  options: DnsOptions,
  own: ApiCredentials | undefined,
  { narrate, check = () => {} }: DnsUse,
): Promise<Found> {
  return targetFrom(labTarget(options, { narrate, dns: true, check }), lab => {
    const { urls, config } = lab
    if (urls.dns === undefined) {
      throw new UsageError(`the lab at ${urls.authorization} does not say where its DNS API is`, [
        `Name it:   --api-url ${neighbour(urls.authorization, 8446)}/client/v4 --token-file FILE`,
      ])
    }
    const embedded = lab.embedded !== undefined
    const via = embedded ? 'the lab of this command' : `the lab at ${urls.authorization}`
    const access = { base: urls.dns, via, credentials: own ?? labCredentials(config) }
    // The lab of --server can have another lab file than the one on this machine.
    const [first] = options.server === undefined || lab.ofRoom ? (config.effective.dns?.zones ?? []) : []
    const found = { ...lab, address: urls.dns, access, lab: true, embedded }
    return first ? { ...found, firstZone: { id: first.id, name: first.name } } : found
  })
}

async function otherAccount(
  options: DnsOptions,
  given: ReturnType<typeof givenBase>,
  credentials: ApiCredentials | undefined,
): Promise<Found> {
  const { base, via } = given ?? {
    base: REAL_SERVICE,
    via: 'your credentials, which are for the real service',
  }
  if (credentials === undefined) {
    throw new UsageError(`${via} ${base} needs credentials`, [
      'A token:            --token-file FILE   (or CLOUDFLARE_API_TOKEN)',
      'A key:              --key-file FILE --email YOU@EXAMPLE.COM   (or CLOUDFLARE_API_KEY, CLOUDFLARE_EMAIL)',
      'The lab has both:   leave the address out',
    ])
  }
  return {
    ...outside,
    address: base,
    access: { base, via, credentials },
    caPem: await trustedAt(base, options),
    lab: false,
    embedded: false,
  }
}

/** The certificates to trust at a base URL. The real service must not present a certificate of the lab's CA. */
async function trustedAt(base: string, options: DnsOptions): Promise<string | undefined> {
  return isRealService(base) ? trustedWith(options, undefined) : trustedPem(options, base)
}

async function findAccount(options: DnsOptions, use: DnsUse, env: NodeJS.ProcessEnv): Promise<Found> {
  const { server, keyFile, tokenFile, email } = options
  const given = givenBase(options, env)
  const byOption = [keyFile, tokenFile, email].some(each => each !== undefined)
  const own = server === undefined || given || byOption ? await readCredentials(options, env) : undefined
  if (given === undefined && (own === undefined || server !== undefined)) return labAccount(options, own, use)
  const found = await otherAccount(options, given, own)
  if (options.apiUrl === undefined && !byOption)
    await reportUnusedFor(found, given?.via ?? own?.from, options, use)
  return found
}

/** Reports a running lab of this user that is not used because of a variable, which the person may have forgotten. */
async function reportUnusedFor(
  { address }: Found,
  variable: string | undefined,
  { home }: DnsOptions,
  { narrate }: DnsUse,
): Promise<void> {
  const records = await readRecords(home)
  if (records.some(({ urls }) => urls.dns === address)) return
  reportUnused(records, `${variable} is for ${address}`, narrate)
}

/**
 * Finds the account of a run: the named base URL, else the real service when credentials are given, else the lab in use with the
 * credentials of its lab file.
 * @throws UsageError
 */
export async function dnsAccount(options: DnsOptions, use: DnsUse): Promise<DnsAccount> {
  const { narrate, signal, env = process.env } = use
  return targetFrom(findAccount(options, use, env), found => {
    const { access, lab, firstZone, now, ...target } = found
    const { timeoutMs, server } = options
    const { kind, from, ...secret } = access.credentials
    const value = 'key' in secret ? secret.key : secret.token
    const credentials = [{ what: `the ${kind} of ${from}`, value, origins: originsOf([access.base]) }]
    const transport = createTransport({
      caPem: found.caPem,
      timeoutMs,
      now,
      maxBody: MAX_ANSWER,
      credentials,
    })
    const report = ({ ms, status, nth, of }: Wait) => {
      const asks = status === 429 ? 'The service wants a pause' : 'The service has no answer now'
      narrate(`${asks} (HTTP ${status}): asking again in ${Math.ceil(ms / 1000)} s, ${nth} of ${of}`)
    }
    const service = createService(access, {
      send: transport.send,
      longestWaitMs: timeoutMs,
      waiting: use.waiting ?? report,
      seen: use.seen && ((exchange, request) => use.seen?.(exchange, request, access)),
      ...(signal && { signal }),
    })
    const asked = options.zone ?? ((lab && server !== undefined ? '' : env.CLOUDFLARE_ZONE_ID) || undefined)
    const given = asked !== undefined && /^[\w-]{1,64}$/.test(asked) ? { id: asked, name: asked } : undefined
    const knownZone = asked === undefined ? firstZone : given
    return {
      ...target,
      now,
      service,
      zone: (names = []) => chooseZone(service, asked, names),
      ...(knownZone && { knownZone }),
      async stop() {
        transport.close()
        await target.stop()
      },
    }
  })
}

/** The options that name credentials of the DNS API. */
interface DnsCredentialOptions {
  readonly keyFile?: string | undefined
  readonly email?: string | undefined
  readonly tokenFile?: string | undefined
}

/** A text, and its source for messages. */
interface Given {
  readonly text: string
  readonly from: string
}

/** Reads a secret from a file or from stdin, without the line end after it. */
async function inFile(what: string, file: string, option: string): Promise<Given> {
  const text = (await readFileOrStdin(what, file)).trim()
  return { text, from: file === '-' ? 'stdin' : `${option} ${file}` }
}

function inEnvironment(env: NodeJS.ProcessEnv, name: string): Given | undefined {
  const text = env[name]?.trim()
  return text ? { text, from: name } : undefined
}

/** Returns a text that fits into a header. The text itself is never part of a message. */
function checked(what: string, { text, from }: Given): string {
  if (fitsHeader(text)) return text
  const problem = text === '' ? 'is empty' : 'holds something that no header can carry'
  throw new UsageError(`${what} of ${from} ${problem}`)
}

const token = (given: Given): ApiCredentials => ({
  kind: 'token',
  token: checked('the API token', given),
  from: given.from,
})

function keyWith(key: Given, email: Given | undefined): ApiCredentials {
  if (email === undefined) {
    throw new UsageError(`the API key of ${key.from} needs the e-mail address it belongs to`, [
      'Name it:   --email you@example.com   (or CLOUDFLARE_EMAIL)',
    ])
  }
  return {
    kind: 'key',
    key: checked('the API key', key),
    email: checked('the e-mail address', email),
    from: key.from === email.from ? key.from : `${key.from} and ${email.from}`,
  }
}

/**
 * Reads the credentials of the options, else of the environment. In the environment a token comes before a key, as in the official
 * tools.
 * @returns undefined without credentials
 * @throws UsageError
 */
async function readCredentials(
  { keyFile, email, tokenFile }: DnsCredentialOptions,
  env: NodeJS.ProcessEnv,
): Promise<ApiCredentials | undefined> {
  if (tokenFile !== undefined && (keyFile !== undefined || email !== undefined)) {
    throw new UsageError(
      `--token-file and ${keyFile === undefined ? '--email' : '--key-file'} are two ways`,
      ['Leave one out: a token needs no e-mail address'],
    )
  }
  if (tokenFile !== undefined) return token(await inFile('the API token', tokenFile, '--token-file'))
  const address =
    email === undefined ? inEnvironment(env, 'CLOUDFLARE_EMAIL') : { text: email, from: '--email' }
  if (keyFile !== undefined) return keyWith(await inFile('the API key', keyFile, '--key-file'), address)
  const key = inEnvironment(env, 'CLOUDFLARE_API_KEY')
  if (email !== undefined && key === undefined) {
    throw new UsageError('--email needs an API key', ['Name the file of the key:   --key-file FILE'])
  }
  const bearer = email === undefined ? inEnvironment(env, 'CLOUDFLARE_API_TOKEN') : undefined
  if (bearer !== undefined) return token(bearer)
  return key && keyWith(key, address)
}
