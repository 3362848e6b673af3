import { type HttpRequest, header, mediaType, text, textResponse } from '../../../protocol/http/message.js'
import { isJsonObject } from '../../../protocol/values.js'
import { type GivenRecord, readRecord } from '../records/record.js'
import { parseZoneFile, ZoneFileError, type ZoneFileRecord, zoneText } from '../records/zone-file.js'
import { type DnsRecord, PROXIABLE_TYPES } from '../shapes.js'
import {
  badParameter,
  noSuchRecord,
  objectOf,
  orRefuse,
  pageOf,
  Refusal,
  refusal,
  success,
} from './answers.js'
import { recordInEvent } from './events.js'
import { filterRecords } from './record-filter.js'
import type { ApiRoutes, Call } from './router.js'
import { type Edit, edited, type ZonePorts, type ZoneState } from './zones.js'

/** The page sizes for records. */
const PAGES = { usual: 100, max: 5_000_000 }

/** The routes for the records of a zone: list, create, change, delete, batch, import and export. */
export function recordRoutes(ports: ZonePorts): ApiRoutes {
  const change = (whole: boolean) => (call: Call) => {
    const { state, ids, request, publish } = call
    const record = edited(state, ports, edit => {
      // The service looks up the record before it reads the body.
      edit.find(ids.record!)
      return edit.change(ids.record!, objectOf(request), whole)
    })
    publish({ type: 'dns.record_changed', zone: state.zone.name, ...recordInEvent(record) })
    return success(record)
  }
  return {
    '/zones/:zone/dns_records': {
      GET({ state, query, publish }) {
        const { results, info } = pageOf(filterRecords(state.records.values(), query), query, PAGES)
        const { count, total_count: total } = info
        publish({ type: 'dns.records_read', zone: state.zone.name, count, total })
        return success(results, info)
      },
      POST({ state, request, publish }) {
        const record = edited(state, ports, edit => edit.create(objectOf(request)))
        publish({ type: 'dns.record_created', zone: state.zone.name, ...recordInEvent(record) })
        return success(record)
      },
    },
    '/zones/:zone/dns_records/batch': {
      POST({ state, request, publish }) {
        const done = edited(state, ports, edit => runBatch(edit, objectOf(request)))
        publish({
          type: 'dns.batch_applied',
          zone: state.zone.name,
          created: done.posts.length,
          changed: done.patches.length + done.puts.length,
          deleted: done.deletes.length,
        })
        return success(done)
      },
    },
    '/zones/:zone/dns_records/export': {
      GET({ state, publish }) {
        const { name, name_servers: nameServers } = state.zone
        const records = [...state.records.values()]
        publish({ type: 'dns.zone_exported', zone: name, records: records.length })
        const zone = { name, nameServers: nameServers as readonly string[] }
        return textResponse(200, zoneText(zone, records, ports.now()))
      },
    },
    '/zones/:zone/dns_records/import': {
      POST({ state, request, publish }) {
        const { parsed, records } = importedRecords(request, state)
        edited(state, ports, edit => records.map(edit.create))
        const added = records.length
        publish({ type: 'dns.zone_imported', zone: state.zone.name, added, parsed })
        return success({ recs_added: added, total_records_parsed: parsed })
      },
    },
    '/zones/:zone/dns_records/:record': {
      GET({ state, ids, publish }) {
        const record = state.records.get(ids.record!)
        if (record === undefined) throw noSuchRecord()
        publish({ type: 'dns.records_read', zone: state.zone.name, count: 1, total: 1 })
        return success(record)
      },
      PATCH: change(false),
      PUT: change(true),
      DELETE({ state, ids, publish }) {
        const record = edited(state, ports, edit => edit.remove(ids.record!))
        publish({ type: 'dns.record_deleted', zone: state.zone.name, ...recordInEvent(record) })
        return success({ id: record.id })
      },
    },
  }
}

/** The largest number of operations in one batch. */
const MAX_OPERATIONS = 3500

type Given = { readonly [name: string]: unknown }

function listOf(body: Given, name: string): readonly Given[] {
  const list = body[name]
  if (list === undefined || list === null) return []
  if (Array.isArray(list) && list.every(isJsonObject)) return list as Given[]
  throw refusal(400, 9207, `Request body is invalid: ${name} is a list of objects.`)
}

/** Runs one list of operations. Its errors name the failing operation. */
function run(name: string, list: readonly Given[], operation: (given: Given) => DnsRecord): DnsRecord[] {
  return list.map((given, i) => {
    try {
      return operation(given)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const source = { pointer: `/${name}/${i}` }
      throw new Refusal(
        error.status,
        error.errors.map(each => ({ ...each, source })),
      )
    }
  })
}

/**
 * Deletes, then patches, puts and posts. The first error ends the batch and undoes it.
 * @throws Refusal
 */
function runBatch(edit: Edit, body: Given) {
  const lists = {
    deletes: listOf(body, 'deletes'),
    patches: listOf(body, 'patches'),
    puts: listOf(body, 'puts'),
    posts: listOf(body, 'posts'),
  }
  if (Object.values(lists).reduce((sum, { length }) => sum + length, 0) > MAX_OPERATIONS) {
    throw refusal(400, 9207, `Request body is invalid: a batch has at most ${MAX_OPERATIONS} operations.`)
  }
  const idOf = ({ id }: Given) => (typeof id === 'string' ? id : '')
  return {
    deletes: run('deletes', lists.deletes, given => edit.remove(idOf(given))),
    patches: run('patches', lists.patches, given => edit.change(idOf(given), given, false)),
    puts: run('puts', lists.puts, given => edit.change(idOf(given), given, true)),
    posts: run('posts', lists.posts, given => edit.create(given)),
  }
}

/** Returns the zone file of a request, a part of a form or the whole body, and `proxied` of records that do not set it. */
function uploadOf(request: HttpRequest) {
  if (mediaType(request) !== 'multipart/form-data') return { file: text(request.body), proxied: false }
  const form = multipartFields(request)
  if (form === undefined) throw refusal(400, 9207, 'Request body is invalid: it is no multipart form.')
  const file = form.get('file')
  if (file === undefined) throw refusal(400, 9207, 'Request body is invalid: the form has no file.')
  return { file, proxied: form.get('proxied') === 'true' }
}

/** The most entries of a zone file: more than a zone may have records. */
const MAX_ENTRIES = 60_000

function parsed(file: string, zone: string): ZoneFileRecord[] {
  try {
    return parseZoneFile(file, zone, MAX_ENTRIES)
  } catch (error) {
    if (!(error instanceof ZoneFileError)) throw error
    throw badParameter(`file: line ${error.line}, column ${error.column}: ${error.message}`)
  }
}

/**
 * Returns the records of an uploaded zone file that the zone does not have yet, as a client would send them.
 * @throws Refusal
 */
function importedRecords(
  request: HttpRequest,
  { zone, records }: ZoneState,
): { readonly parsed: number; readonly records: readonly GivenRecord[] } {
  const { file, proxied } = uploadOf(request)
  const found = parsed(file, zone.name)
  const key = ({ type, name, content }: { type: string; name: string; content: string }) =>
    JSON.stringify([type, name, content])
  const known = new Set([...records.values()].map(key))
  const fresh = found.flatMap(({ record }) => {
    const given = { ...(proxied && PROXIABLE_TYPES.includes(record.type) && { proxied }), ...record }
    // Names have no final dot here. readRecord would append the zone to a name outside the zone.
    const name = key(orRefuse(() => readRecord(given, zone.name)))
    if (known.has(name)) return []
    known.add(name)
    return [given]
  })
  return { parsed: found.length, records: fresh }
}

/** The most parts that are read, and the longest headers of a part, in characters. */
const MAX_PARTS = 20
const MAX_HEADERS = 8192

/** A boundary has 1 to 70 characters (RFC 2046 §5.1.1). */
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i
const NAME = /^content-disposition:[^\r\n]*?;[ \t]*name=(?:"([^"\r\n]*)"|([^\s;"]+))/im

/** Returns the end of the headers of a part, and the start of its content. Both line ends are accepted. */
function contentStart(body: string, from: number): number | undefined {
  const [end] = /^(?:[^\r\n]+\r?\n)*\r?\n/.exec(body.slice(from, from + MAX_HEADERS)) ?? []
  return end === undefined ? undefined : from + end.length
}

/** Returns the first delimiter at or after a position: the place of its line end, and the place after it. */
function nextDelimiter(body: string, delimiter: string, from: number) {
  for (let at = body.indexOf(delimiter, from); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    const after = at + delimiter.length
    const [whole, final] = /^(--)?[ \t]{0,100}(?:\r?\n|$)/.exec(body.slice(after, after + 110)) ?? []
    if (whole !== undefined) return { at, after: after + whole.length, final: final !== undefined }
  }
  return undefined
}

/**
 * The fields of a form with several parts (RFC 7578), by name. Lines may end with a line feed alone, as cloudflare-go writes them and the service
 * reads them.
 * @returns undefined for a body that is no such form
 */
export function multipartFields(request: HttpRequest): ReadonlyMap<string, string> | undefined {
  const [, quoted, plain] = BOUNDARY.exec(header(request, 'content-type') ?? '') ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  const body = `\n${text(request.body)}`
  const delimiter = `\n--${boundary}`
  const fields = new Map<string, string>()
  let here = nextDelimiter(body, delimiter, 0)
  for (let count = 0; here !== undefined && !here.final; count++) {
    const start = contentStart(body, here.after)
    // The line end before a delimiter belongs to the delimiter, also when the content is empty.
    const next = start === undefined ? undefined : nextDelimiter(body, delimiter, start - 1)
    if (start === undefined || next === undefined || count >= MAX_PARTS) return undefined
    const [, name, bare] = NAME.exec(body.slice(here.after, start)) ?? []
    const field = name ?? bare
    if (field === undefined) return undefined
    const content = body.slice(start, Math.max(start, next.at))
    fields.set(field, content.endsWith('\r') ? content.slice(0, -1) : content)
    here = next
  }
  return here === undefined ? undefined : fields
}
