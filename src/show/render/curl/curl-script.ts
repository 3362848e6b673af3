import { createHash } from 'node:crypto'
import type { Step } from '../../../flows/step.js'
import { isUrl } from '../../../protocol/http/address.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { header, mediaType, splitUrl } from '../../../protocol/http/message.js'
import { shellComment, shellWord } from '../../../protocol/safe-output/shell.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import { parsedJson } from '../../../protocol/values.js'
import {
  type CertificateFiles,
  type ExportedRecord,
  type ExportOptions,
  exportTitle,
  hasAttacker,
} from '../exports/export-options.js'
import { ruleName } from '../rule-lines.js'
import { type CurlContext, curlArguments, isLocal, type ServerVariable, type Source } from './curl.js'
import { createProofs, keyLines } from './curl-proofs.js'
import { basicSecretLines, beginning, pkceLines } from './curl-script-parts.js'

/** A value that an answer gives and a later request sends. */
interface GivenValue {
  readonly name: string
  /** As it was recorded. */
  readonly value: string
  /** Only a parameter of the same name takes it: a field of a form. */
  readonly field: boolean
  readonly source: Source
  /** How a script reads it from the answer. */
  readonly read: string
}

const passedOn = [
  'access_token',
  'refresh_token',
  'id_token',
  'mac_key',
  'device_code',
  'auth_req_id',
  'user_code',
  'request_uri',
  'code',
]

/** Shorter values could be the same by chance. */
const MIN_LENGTH = 8

const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" }

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*"([^"]*)"`, 'i').exec(tag)?.[1]
  return found?.replace(/&(amp|quot|lt|gt|#39);/g, (_whole, entity: string) => entities[entity]!)
}

/**
 * The number of the form in a page that is sent to an address, counted from 1 as `form_action` of the script does.
 * Undefined for an answer that is no page with such a form.
 */
function formSentTo(url: string, { request, response }: Exchange): number | undefined {
  if (response === undefined || mediaType(response) !== 'text/html') return undefined
  const tags = response.body.match(/<form[ \r\n][^>]*>/gi) ?? []
  const number = tags.findIndex(tag => {
    const action = attribute(tag, 'action')
    if (action === undefined) return false
    return action === ''
      ? request.url === url
      : isUrl(action, request.url) && new URL(action, request.url).href === url
  })
  return number < 0 ? undefined : number + 1
}

function hiddenFields(body: string): Array<readonly [name: string, value: string]> {
  return (body.match(/<input\b[^>]*>/gi) ?? []).flatMap(tag => {
    const name = attribute(tag, 'name')
    const value = attribute(tag, 'value')
    if (attribute(tag, 'type')?.toLowerCase() !== 'hidden' || !name || value === undefined) return []
    // The name becomes part of a pattern of sed.
    return /^[\w-]+$/.test(name) ? [[name, value] as const] : []
  })
}

function members(body: string): Readonly<Record<string, unknown>> {
  const value = parsedJson(body)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/**
 * The values that an answer supplies for later requests: hidden fields of its form, parameters of its redirect, members
 * of its JSON.
 * @param variable a name for a variable that is not taken yet
 */
function givenValues(exchange: Exchange, variable: (name: string) => string): GivenValue[] {
  return [...nonceGiven(exchange, variable), ...valuesGiven(exchange, variable)]
}

/** The nonce for the next DPoP proof (RFC 9449 §8). */
function nonceGiven({ response }: Exchange, variable: (name: string) => string): GivenValue[] {
  const value = response && header(response, 'dpop-nonce')
  if (value === undefined) return []
  const source = { variable: variable('dpop_nonce'), encoded: false }
  return [{ name: 'dpop_nonce', value, field: false, source, read: 'answer_header dpop-nonce' }]
}

function valuesGiven({ response }: Exchange, variable: (name: string) => string): GivenValue[] {
  if (response === undefined) return []
  const location = header(response, 'location')
  if (location !== undefined) {
    return location.split(/[?&#]/).flatMap(part => {
      const mark = part.indexOf('=')
      const name = part.slice(0, Math.max(0, mark))
      const raw = part.slice(mark + 1)
      if (!passedOn.includes(name) || raw.length < MIN_LENGTH) return []
      const source = { variable: variable(name), encoded: true }
      return [{ name, value: decodedText(raw), field: false, source, read: `redirect_parameter ${name}` }]
    })
  }
  if (mediaType(response) === 'text/html') {
    return hiddenFields(response.body).map(([name, value]) => ({
      name,
      value,
      field: true,
      source: { variable: variable(`field_${name.replaceAll('-', '_')}`), encoded: false },
      read: `hidden_field ${name}`,
    }))
  }
  const json = members(response.body)
  return passedOn.flatMap(name => {
    const value = Object.hasOwn(json, name) ? json[name] : undefined
    if (typeof value !== 'string' || value.length < MIN_LENGTH) return []
    const source = { variable: variable(name), encoded: false }
    return [{ name, value, field: false, source, read: `json_member ${name}` }]
  })
}

function decodedText(raw: string): string {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '))
  } catch {
    return raw
  }
}

/** A step of the script: its comment, its request, and what is read from the answer for later ones. */
interface Section {
  readonly lines: readonly string[]
  readonly reads: Map<string, string>
}

/** The verifier and challenge of a run that fit each other; undefined without PKCE. */
function findPkce(records: readonly ExportedRecord[]): { verifier: string; challenge: string } | undefined {
  const sent = records.flatMap(record =>
    record.type !== 'step' ? [] : [record.exchange?.request.url, record.url, record.exchange?.request.body],
  )
  const find = (name: string) =>
    sent.map(text => new RegExp(`(?:^|[?&])${name}=([^&#]+)`).exec(text ?? '')?.[1]).find(Boolean)
  const [verifier, challenge] = [find('code_verifier'), find('code_challenge') ?? challengeInObject(records)]
  if (verifier === undefined || challenge === undefined) return undefined
  const hash = createHash('sha256').update(verifier).digest('base64url')
  return hash === challenge ? { verifier, challenge } : undefined
}

/** The JWT of the run's request object, without its encryption. */
function requestObjectOf(records: readonly ExportedRecord[]): string | undefined {
  const tokens = records.flatMap(each => (each.type === 'step' && each.token ? [each.token] : []))
  return tokens.find(({ kind }) => kind === 'request_object')?.value
}

/** The code_challenge of a run whose request is an object. */
function challengeInObject(records: readonly ExportedRecord[]): string | undefined {
  const jwt = requestObjectOf(records)
  const challenge = jwt === undefined ? undefined : decodeIfJwt(jwt)?.claims.code_challenge
  return typeof challenge === 'string' ? challenge : undefined
}

/**
 * The server that the secrets and tokens of the run went to: that of the first request that is not the client's own.
 */
function serverOf(steps: readonly Step[]): string | undefined {
  const url = steps.find(({ to, exchange }) => exchange && to !== 'client')?.exchange?.request.url
  const origin = url === undefined ? undefined : splitUrl(url).origin
  return origin !== undefined && /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined
}

/**
 * The servers whose addresses the script writes by variables: the authorization server, and its endpoints that ask for
 * certificates (RFC 8705 §5), where they have another origin.
 */
function serversOf(steps: readonly Step[], origin: string | undefined): ServerVariable[] {
  if (origin === undefined) return []
  const others = steps.flatMap(({ from, to, exchange }) => {
    const found = exchange && from === 'client' && to === 'authorization_server'
    return found ? [splitUrl(exchange.request.url).origin] : []
  })
  const second = others.find(each => each !== origin && /^https:\/\/[\w.:[\]-]+$/.test(each))
  const first = { origin, variable: 'server' }
  return second === undefined ? [first] : [first, { origin: second, variable: 'mtls_server' }]
}

function stepComment({ n, of, name, title, rfc, why }: Step): string[] {
  const first = `${n}/${of} ${name}: ${title} (${ruleName(rfc)})`
  return [shellComment(first), ...(why === '' ? [] : [shellComment(why)])]
}

/** The address of a redirect that the next request goes to. */
function target({ request, response }: Exchange): string | undefined {
  const location = response && header(response, 'location')
  return location !== undefined && isUrl(location, request.url)
    ? new URL(location, request.url).href
    : undefined
}

/** Names of variables that the script uses itself. */
const taken = [
  ...[
    'server',
    'mtls_server',
    'cacert',
    'work',
    'now',
    'signing_key',
    'step',
    'expected',
    'answer',
    'status',
    'location',
  ],
  ...['page', 'action', 'address', 'basic_secret'],
]

/** The steps as sections; what a request takes from an earlier answer is read there. */
function sections(
  steps: readonly Step[],
  records: readonly ExportedRecord[],
  { showSecrets, certificate }: ExportOptions,
  servers: readonly ServerVariable[],
  secrets: Set<string>,
) {
  const pkce = findPkce(records)
  const names = new Set(taken)
  const variable = (name: string): string => {
    let free = name
    for (let i = 2; names.has(free); i++) free = `${name}_${i}`
    names.add(free)
    return free
  }
  const given: Array<GivenValue & { readonly section: Section }> = []
  const source = (name: string, value: string): Source | undefined => {
    if (pkce && name === 'code_verifier' && value === pkce.verifier) return { variable: name, encoded: false }
    if (pkce && name === 'code_challenge' && value === pkce.challenge)
      return { variable: name, encoded: true }
    if (name === 'dpop_jkt' && provesKeys) return { variable: name, encoded: true }
    // The key that came beside a token is found by the token.
    const key = name === 'mac_key' ? given.findLast(each => each.value === value)?.section : undefined
    const found = given.findLast(each =>
      key
        ? each.section === key && each.name === name
        : each.value === value && (!each.field || each.name === name),
    )
    found?.section.reads.set(found.source.variable, found.read)
    return found?.source ?? proofs.source(value)
  }
  const provesKeys = steps.some(({ exchange }) => exchange && header(exchange.request, 'dpop') !== undefined)
  const requestObject = requestObjectOf(records)
  const proofs = createProofs({ source, variable, servers, requestObject })
  const attack = hasAttacker(records)
  // Two people act in an attack: each has answers and cookies of their own.
  const answers = new Map<string, Exchange>()
  const sectionOf = (step: Step): Section => {
    const { exchange, name } = step
    const comment = stepComment(step)
    const person = attack ? step.from : ''
    const before = answers.get(person)
    if (attack && step.to === 'attacker' && exchange !== undefined) {
      answers.set(person, exchange)
      const note = 'The server of the attacker is gone; the request before this one shows what comes to it.'
      return { lines: [...comment, shellComment(note)], reads: new Map() }
    }
    if (exchange === undefined || (step.to === 'client' && !attack)) {
      if (name === 'ping_callback') {
        const note = shellComment('The notification came to the client; the script asks without one.')
        return { lines: [...comment, note], reads: new Map() }
      }
      const lines = step.to === 'client' && before ? [...comment, ...answerLines(before, steps)] : comment
      return { lines, reads: new Map() }
    }
    const browses = step.from === 'user_agent' || (attack && ofBrowser(exchange))
    const shown = browses ? before : undefined
    const follows = shown && target(shown) === exchange.request.url
    const form = shown && !follows ? formSentTo(exchange.request.url, shown) : undefined
    const context: CurlContext = {
      showSecrets,
      source,
      secrets,
      basicSecret: 'basic_secret',
      ...(step.from === 'attacker' && { owner: 'attacker' }),
      ...(follows && { url: { variable: 'location' } }),
      ...(form !== undefined && { url: { variable: 'address' } }),
      servers,
    }
    const cookies = step.from === 'attacker' ? '"$work/cookies-attacker"' : '"$work/cookies"'
    const jar = browses ? [`-b ${cookies} -c ${cookies}`] : []
    const status = exchange.response?.status ?? 0
    const pause = before ? pauseLines(before, exchange) : []
    const posted = form === undefined ? [] : [`address=$(form_action ${form})`]
    const signed = proofs.before(exchange)
    const shows = certificate !== undefined && !browses ? [CERTIFICATE] : []
    const request = `request ${shellWord(name)} ${status}`
    const words = [request, ...jar, ...shows, ...curlArguments(exchange, context)]
    const section: Section = {
      lines: [...comment, ...pause, ...signed, ...posted, words.join(' \\\n  ')],
      reads: new Map(),
    }
    for (const each of givenValues(exchange, variable)) given.push({ ...each, section })
    const token = given.find(each => each.section === section && each.name === 'access_token')
    if (token) section.reads.set(token.source.variable, token.read)
    answers.set(person, exchange)
    return section
  }
  const all = steps.map(sectionOf)
  return { pkce: pkce !== undefined, proofs, sections: all }
}

/** The options of curl for the certificate of the client. */
const CERTIFICATE = '--cert "$OAUTH_CLIENT_CERT" --key "$OAUTH_CLIENT_CERT_KEY"'

/** True for a request of a browser: programs do not ask for pages. */
function ofBrowser({ request }: Exchange): boolean {
  return header(request, 'accept') === 'text/html'
}

/** The pause that a client owes between two polls (RFC 8628 §3.5, CIBA Core §7.3). */
function pauseLines(before: Exchange, { request, at }: Exchange): string[] {
  if (!/(^|&)(device_code|auth_req_id)=/.test(request.body)) return []
  const seconds = Math.round((Date.parse(at) - Date.parse(before.at)) / 1000)
  return seconds >= 1 && seconds <= 60 ? [`sleep ${seconds}`] : []
}

/** The client's own step: nobody listens at the redirect_uri now, the answer is read from the redirect. */
function answerLines(before: Exchange, steps: readonly Step[]): string[] {
  const stateIn = (url: string | undefined) => /[?&#]state=([^&#]*)/.exec(url ?? '')?.[1]
  const came = stateIn(before.response && header(before.response, 'location'))
  const sent = stateIn(steps.map(({ url, exchange }) => exchange?.request.url ?? url).find(stateIn))
  const note = shellComment('Nobody listens at the redirect_uri now; the answer is in the address itself.')
  if (came === undefined || came !== sent) return [note]
  return [note, `[ "$(redirect_parameter state)" = ${shellWord(sent)} ] || fail 'another state came back'`]
}

function sectionText({ lines, reads }: Section): string {
  const read = [...reads].map(
    ([variable, how]) =>
      `${variable}=$(${how})\n[ -n "$${variable}" ] || fail 'no ${variable} in the answer'`,
  )
  return [...lines, ...read].join('\n')
}

/** The values of environment variables that the script takes where the environment has none. */
function defaultsOf(certificate: CertificateFiles | undefined): Record<string, string> {
  return certificate === undefined
    ? {}
    : { OAUTH_CLIENT_CERT: certificate.cert, OAUTH_CLIENT_CERT_KEY: certificate.key }
}

/**
 * A run as a shell script that sends every request again: what the server hands out (csrf values, codes, tokens) is
 * read from its new answers. Needs curl, and openssl for PKCE. Secrets are environment variables unless they are to
 * be shown.
 */
export function curlScript(records: readonly ExportedRecord[], options: ExportOptions): string {
  const steps = records.filter(record => record.type === 'step')
  const origin = serverOf(steps)
  const secrets = new Set<string>()
  const servers = serversOf(steps, origin)
  const { pkce, proofs, sections: found } = sections(steps, records, options, servers, secrets)
  const parts = found.map(sectionText)
  for (const name of proofs.secrets()) secrets.add(name)
  const last = [...parts.join('\n').matchAll(/^(access_token\w*)=/gm)].at(-1)?.[1]
  const granted = records.some(record => record.type === 'outcome' && record.outcome === 'granted')
  const begin = beginning({
    title: exportTitle(options),
    secrets: [...secrets].sort(),
    local: origin !== undefined && isLocal(origin),
    servers,
    defaults: defaultsOf(options.certificate),
    ...(options.caPem !== undefined && { caPem: options.caPem }),
  })
  const end =
    last === undefined || !granted ? [] : ['# The access token is the result.', `printf '%s\\n' "$${last}"`]
  const anew = pkce
    ? [['# A new code_verifier, and its code_challenge (RFC 7636).', ...pkceLines].join('\n')]
    : []
  const key = secrets.has('OAUTH_CLIENT_KEY') ? [keyLines] : []
  const basic = parts.some(part => part.includes('$basic_secret')) ? [basicSecretLines] : []
  return `${[begin, ...key, ...basic, ...proofs.beginning(), ...anew, ...parts, ...(end.length > 0 ? [end.join('\n')] : [])].join('\n\n')}\n`
}
