import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { isCut } from '../../../protocol/safe-output/mask.js'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'
import { EVENTS } from '../lab-events/event-meanings.js'
import { jsonLines } from '../read/json-lines.js'
import { openRecording } from '../read/source.js'
import { createCollector } from './collect.js'
import { createKnownValues, type KnownValues } from './known-values.js'
import { createPseudonyms, type Pseudonyms } from './pseudonyms.js'
import type { Reopen } from './redact-source.js'
import { createRedactor } from './redactor.js'

/** Members whose values name protocol, software, servers and times. Numbers and booleans stay in any member. */
const KEPT = new Set(
  `type at site method coding error rule reason channel client_id grant_type response_type scope pkce scheme alg token_type
  endpoint mode`.split(/\s+/),
)

/** Members that name people, their computers and what only one login has. */
const PERSONAL = new Set(['username', 'sub', 'remoteAddress', 'jti', 'binding_message'])

/** Members that are codes, tokens and references. A lab cuts them in the middle, and the rest is useless. */
const CUT = new Set(['code', 'access_token', 'refresh_token', 'replaced_by', 'request_uri'])

const ADDRESSES = new Set(['path', 'redirect_uri', 'origin', 'url', 'page'])

/** Sentences, in which the names of people are replaced. */
const PROSE = new Set(['description', 'hint', 'to_register'])

/** Evidence that ties a request to others. Other evidence may be anything that somebody sent. */
const TYING = /^(?:code|refresh token) [^\s…]{4}…[^\s…]{3}$/

/** True for an event that an explanation needs. The others, as of DNS and chat, are left out. */
const isNeeded = (type: unknown): type is string =>
  typeof type === 'string' &&
  (Object.hasOwn(EVENTS, type) || type === 'request.answered' || type === 'handshake.failed')

async function* eventsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject, void, void> {
  const { bytes } = await openRecording(source)
  for await (const { value } of jsonLines(bytes)) {
    if (value && (isNeeded(value.type) || value.type === 'lab.ready')) yield value
  }
}

/** Creates the function that redacts an event. Members that have no place in the lists are left out. */
function createEventRedactor(pseudonym: Pseudonyms, known: KnownValues) {
  function parameter(name: string, value: string): string | undefined {
    if (isCut(value)) return value
    // The last parameter of a long address has no end.
    return value.endsWith('…') && name !== '' ? `${pseudonym(value.slice(0, -1))}…` : undefined
  }
  const { address, prose, kept } = createRedactor(pseudonym, known, parameter)

  function member(name: string, value: unknown): unknown {
    if (typeof value === 'number' || typeof value === 'boolean') return value
    if (typeof value !== 'string') return undefined
    if (CUT.has(name) && isCut(value)) return value
    if (KEPT.has(name)) return kept(value)
    if (name === 'evidence') return TYING.test(value) ? value : undefined
    if (ADDRESSES.has(name)) return address(value).replaceAll('%E2%80%A6', '…')
    if (PROSE.has(name)) return prose(value)
    return PERSONAL.has(name) || CUT.has(name) ? pseudonym(value) : undefined
  }

  return (event: JsonObject): object =>
    Object.fromEntries(
      Object.entries(event)
        .map(([name, value]) => [name, member(name, value)] as const)
        .filter(([, value]) => value !== undefined),
    )
}

/** The first line of a lab, with nothing but the addresses that say where its sites are. */
function redactReady({ urls }: JsonObject): object {
  const known = isJsonObject(urls) ? Object.entries(urls).filter(([, url]) => typeof url === 'string') : []
  return { type: 'lab.ready', urls: Object.fromEntries(known) }
}

/**
 * Writes the events of a lab without the names of people and what identifies them, as a stream of lines. Requests keep their
 * numbers.
 * @param key random bytes of this run
 */
export async function* redactedEvents(open: Reopen, key: Uint8Array): AsyncGenerator<string, void, void> {
  const known = createKnownValues()
  const collect = createCollector(known)
  for await (const event of eventsOf(open())) {
    for (const name of ['username', 'sub', 'remoteAddress']) {
      if (typeof event[name] === 'string') known.addPersonal(event[name])
    }
    if (event.type !== 'lab.ready') collect(event, false)
  }
  const redact = createEventRedactor(createPseudonyms(key), known)
  for await (const event of eventsOf(open())) {
    yield jsonLine(event.type === 'lab.ready' ? redactReady(event) : redact(event))
  }
}
