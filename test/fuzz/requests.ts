import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { ListenerName } from '../../src/lab/listening/listeners.js'
import { API_PREFIX } from '../../src/servers/cloudflare/emulator/settings.js'
import { FIELDS, HOSTILE, HOSTILE_JSON } from './hostile.js'
import type { Random } from './random.js'
import { VOCABULARIES, type Vocabulary } from './vocabulary.js'

/** A request as bytes: nothing in it has to be legal. */
export interface FuzzRequest {
  readonly site: ListenerName
  readonly method: string
  readonly target: string
  /** Each character is one byte. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
  readonly version: '1.0' | '1.1'
}

const SITES = Object.keys(VOCABULARIES) as ListenerName[]
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

const name = (random: Random): string =>
  random.chance(0.5) ? random.pick(HOSTILE) : random.pick(['demo', 'x', 'default', `a${random.int(30)}`])

/** Encodes a value as a form does, or leaves it as it is. */
function encoded(random: Random, value: string): string {
  if (random.chance(0.1)) return latin1(value).replaceAll(/[\r\n ]/g, '+')
  return encodeURIComponent(value.toWellFormed()).replaceAll('%20', '+')
}

function form(random: Random, { parameters }: Vocabulary): string {
  const names = Object.keys(parameters)
  const members = Array.from({ length: random.int(8) }, () => {
    const each = random.chance(0.05) ? random.pick(HOSTILE) : random.pick(names)
    const value = random.chance(0.15)
      ? random.pick(HOSTILE)
      : random.pick(Object.hasOwn(parameters, each) ? parameters[each]! : HOSTILE)
    return random.chance(0.03) ? encoded(random, each) : `${encoded(random, each)}=${encoded(random, value)}`
  })
  return members.join(random.chance(0.03) ? ';' : '&')
}

/** Changes one part of a JSON value at random, or leaves it. */
function changed(random: Random, value: unknown, depth = 0): unknown {
  if (random.chance(depth === 0 ? 0.05 : 0.12)) return random.pick(HOSTILE_JSON)
  if (Array.isArray(value)) {
    const items = value.map(each => changed(random, each, depth + 1))
    return random.chance(0.05) ? [...items, ...items, ...items] : items
  }
  if (typeof value !== 'object' || value === null) return value === '*' ? name(random) : value
  const entries = Object.entries(value).map(([key, each]) => [key, changed(random, each, depth + 1)] as const)
  if (random.chance(0.1)) entries.push([random.pick(HOSTILE), random.pick(HOSTILE_JSON)])
  return Object.fromEntries(random.chance(0.1) ? entries.slice(1) : entries)
}

/** Writes a value as JSON or as YAML, whose flow style is JSON with more in it. */
function written(random: Random, value: unknown, type: string): Buffer {
  if (typeof value === 'string') return Buffer.from(value)
  const text = JSON.stringify(value) ?? ''
  if (type.includes('yaml') && random.chance(0.3)) {
    return Buffer.from(
      `${random.pick(['---\n', '%YAML 1.1\n---\n', '# a\n', '&a '])}${text}${random.pick(['', '\n---\n{}', '\n*a'])}`,
    )
  }
  if (type.includes('protobuf')) return Buffer.concat([Buffer.from('k8s\0'), random.bytes(random.int(60))])
  return Buffer.from(text)
}

/** Breaks bytes: cut, doubled, with a changed byte, or other bytes altogether. */
function broken(random: Random, body: Buffer): Buffer {
  const at = random.int(body.length + 1)
  switch (random.int(6)) {
    case 0:
      return body.subarray(0, at)
    case 1:
      return Buffer.concat([body, body])
    case 2:
      return Buffer.concat([body.subarray(0, at), random.bytes(1 + random.int(4)), body.subarray(at)])
    case 3:
      return random.bytes(random.int(200))
    case 4:
      return gzipSync(body)
    default:
      return Buffer.concat([brotliCompressSync(body), random.bytes(3)])
  }
}

/** The kind of an object, or nothing. */
const kindOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'kind' in body ? String(body.kind).toLowerCase() : ''

/** Picks a body, most often one whose kind the path names. */
function meant(random: Random, { bodies }: Vocabulary, path: string): unknown {
  const kept = bodies.filter(each => kindOf(each) !== '' && path.includes(kindOf(each)))
  return random.pick(kept.length > 0 && random.chance(0.7) ? kept : bodies)
}

function bodyOf(random: Random, words: Vocabulary, type: string, path: string): Buffer {
  const plain = type.includes('urlencoded')
    ? Buffer.from(form(random, words), 'latin1')
    : written(random, changed(random, meant(random, words, path)), type)
  return random.chance(0.1) ? broken(random, plain) : plain
}

function pathOf(random: Random, { paths }: Vocabulary): string {
  const path = random.pick(paths).replaceAll('*', () => encoded(random, name(random)))
  switch (random.int(25)) {
    case 0:
      return path.replaceAll('/', '//')
    case 1:
      return `${path}/`
    case 2:
      return path.toUpperCase()
    case 3:
      return path.replaceAll('e', '%65')
    case 4:
      return `${path}/${encoded(random, random.pick(HOSTILE))}`
    default:
      return path
  }
}

/** A field value that can be sent as one line. */
const line = (text: string): string => latin1(text).replaceAll(/[\r\n\0]/g, ' ')

/** Makes the next request of a seed. */
export function nextRequest(random: Random, sites: readonly ListenerName[] = SITES): FuzzRequest {
  const site = random.pick(sites)
  const words = VOCABULARIES[site]
  const type = random.pick(words.types)
  const method = random.chance(0.01)
    ? random.pick(['get', 'X', 'PROPFIND', 'M-SEARCH'])
    : random.pick(words.methods)
  const hasBody = !['GET', 'HEAD', 'TRACE'].includes(method) || random.chance(0.05)
  const path = pathOf(random, words)
  const body = hasBody ? bodyOf(random, words, type, path) : Buffer.alloc(0)
  const query = random.chance(0.5) ? `?${form(random, words)}` : ''
  const headers: (readonly [string, string])[] = []
  if (random.chance(0.9)) headers.push(['Authorization', line(random.pick(words.authorization))])
  if (hasBody && random.chance(0.95)) headers.push(['Content-Type', type])
  for (let count = random.int(4); count > 0; count--) {
    const field = random.pick(Object.keys(FIELDS))
    const value = random.chance(0.1) ? random.pick(HOSTILE) : random.pick(FIELDS[field]!)
    headers.push([field, line(value)])
    if (random.chance(0.05)) headers.push([field, line(random.pick(HOSTILE))])
  }
  if (random.chance(0.01)) for (let n = 0; n < 120; n++) headers.push([`X-${n}`, 'x'])
  const prefix = site === 'dns' && random.chance(0.97) ? API_PREFIX : ''
  return {
    site,
    method,
    target: `${prefix}${path}${query}`,
    headers,
    body,
    version: random.chance(0.03) ? '1.0' : '1.1',
  }
}
