import { type HttpRequest, mediaType, text } from '../../../protocol/http/message.js'
import { type GivenRecord, readRecord } from '../records/record-fields.js'
import { parseZoneFile, type ZoneFileRecord } from '../records/zone-file.js'
import { ZoneFileError } from '../records/zone-file-lines.js'
import { PROXIABLE_TYPES } from '../shapes.js'
import { multipartFields } from './multipart.js'
import { badParameter, orRefuse, refusal } from './refusal.js'
import type { ZoneState } from './zones.js'

interface Upload {
  readonly file: string
  /** The value of `proxied` for records that do not set it. */
  readonly proxied: boolean
}

/** Returns the zone file of a request: a part of a form, or the whole body. */
function uploadOf(request: HttpRequest): Upload {
  if (mediaType(request) !== 'multipart/form-data') return { file: text(request.body), proxied: false }
  const form = multipartFields(request)
  if (form === undefined) throw refusal(400, 9207, 'Request body is invalid: it is no multipart form.')
  const file = form.get('file')
  if (file === undefined) throw refusal(400, 9207, 'Request body is invalid: the form has no file.')
  return { file, proxied: form.get('proxied') === 'true' }
}

/** The most entries of a zone file. A zone has fewer records. */
const MAX_ENTRIES = 20_000

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
export function importedRecords(
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
