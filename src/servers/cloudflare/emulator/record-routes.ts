import { textResponse } from '../../../protocol/http/message.js'
import { zoneText } from '../records/zone-text.js'
import type { ApiRoutes, Call } from './api.js'
import { runBatch } from './batch.js'
import { objectOf } from './body.js'
import { success } from './envelope.js'
import { recordInEvent } from './events.js'
import { importedRecords } from './import.js'
import { pageOf } from './pages.js'
import { filterRecords } from './record-filter.js'
import { noSuchRecord } from './refusal.js'
import { editing, type ZonePorts } from './zones.js'

/** The page sizes for records. */
const PAGES = { usual: 100, max: 5_000_000 }

/** The routes for the records of a zone: list, create, change, delete, batch, import and export. */
export function recordRoutes(ports: ZonePorts): ApiRoutes {
  const change = (whole: boolean) => (call: Call) => {
    const { state, ids, request, publish } = call
    const edit = editing(state, ports)
    // The service looks up the record before it reads the body.
    edit.find(ids.record!)
    const record = edit.change(ids.record!, objectOf(request), whole)
    state.records = edit.records
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
        const edit = editing(state, ports)
        const record = edit.create(objectOf(request))
        state.records = edit.records
        publish({ type: 'dns.record_created', zone: state.zone.name, ...recordInEvent(record) })
        return success(record)
      },
    },
    '/zones/:zone/dns_records/batch': {
      POST({ state, request, publish }) {
        const edit = editing(state, ports)
        const done = runBatch(edit, objectOf(request))
        state.records = edit.records
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
        const edit = editing(state, ports)
        for (const record of records) edit.create(record)
        state.records = edit.records
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
        const edit = editing(state, ports)
        const record = edit.remove(ids.record!)
        state.records = edit.records
        publish({ type: 'dns.record_deleted', zone: state.zone.name, ...recordInEvent(record) })
        return success({ id: record.id })
      },
    },
  }
}
