import type { LabEvent } from '../../../protocol/events.js'
import { eventCurl, eventHar, eventLines, notRepeatable } from '../../render/events/event-export.js'
import type { Menu } from '../screen/menu.js'
import { listed, selectedEntry } from './listing.js'
import { SHOWN } from './panes.js'
import type { DashboardState } from './state.js'
import { entries, entryAt } from './view/history.js'
import type { AnsweredRequest } from './view/lab-view.js'

/** The forms of an export. */
export type ExportForm = 'curl' | 'har' | 'json' | 'all'

const endings: Readonly<Record<ExportForm, string>> = { curl: 'sh', har: 'har', json: 'jsonl', all: 'jsonl' }

/** The name of the file: `oauth-lab-serve-140311.har`, by the UTC time of day. */
export function exportName(form: ExportForm, now: number): string {
  return `oauth-lab-serve-${new Date(now).toISOString().slice(11, 19).replaceAll(':', '')}.${endings[form]}`
}

function selectedRequest(state: DashboardState): AnsweredRequest | undefined {
  const n = selectedEntry(state)
  return state.pane === 'requests' && n !== undefined ? entryAt(state.view.requests, n) : undefined
}

/** Why this request has no curl command; undefined where it has one. */
function withoutCurl(state: DashboardState): string | undefined {
  const request = selectedRequest(state)
  return request === undefined ? 'only a request has one' : notRepeatable(request.event, state.view.facts)
}

/** The export menu as it stands in this state. */
export function exportMenu(state: DashboardState, now: number): Menu<ExportForm> {
  const noCurl = withoutCurl(state)
  const noRequest = selectedRequest(state) === undefined ? 'only requests have one' : undefined
  const about = (form: ExportForm) => `./${exportName(form, now)}`
  return {
    title: 'Export',
    items: [
      {
        choice: 'curl',
        key: 'c',
        text: 'curl, this request',
        about: about('curl'),
        ...(noCurl !== undefined && { off: noCurl }),
      },
      {
        choice: 'har',
        key: 'h',
        text: 'HAR, the requests listed',
        about: about('har'),
        ...(noRequest !== undefined && { off: noRequest }),
      },
      { choice: 'json', key: 'j', text: 'JSON lines, this one and its decisions', about: about('json') },
      { choice: 'all', key: 'a', text: 'JSON lines, everything kept', about: about('all') },
    ],
    note: '',
  }
}

/** The events of the entry that the keys are at, oldest first. */
function ownEvents(state: DashboardState): readonly LabEvent[] {
  const n = selectedEntry(state)
  if (n === undefined) return []
  if (state.pane === 'events') return [entryAt(state.view.events, n)!]
  const request = selectedRequest(state)
  return request ? [...request.decisions, request.event] : SHOWN[state.pane].events(state.view, n)
}

/** All events that are kept, in order of time: a recording that can be played. */
function allEvents({ view }: DashboardState): LabEvent[] {
  const { urls, ca, pid, configured } = view.facts
  const ready = { type: 'lab.ready', pid, ca, urls: Object.fromEntries(urls) } as unknown as LabEvent
  const happened = [...entries(view.events), ...entries(view.requests).map(({ event }) => event)]
  return [
    ready,
    ...(configured ? [configured] : []),
    ...happened.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
  ]
}

/** The exported text for a choice of the menu. `version` is that of this program. */
export function exportText(state: DashboardState, form: ExportForm, version: string): string {
  const { facts, requests } = state.view
  switch (form) {
    case 'curl': {
      const request = selectedRequest(state)
      return request === undefined ? '' : `${eventCurl(request.event, facts)}\n`
    }
    case 'har':
      return eventHar(
        listed(state, 'requests').map(n => entryAt(requests, n)!.event),
        facts,
        version,
      )
    case 'json':
      return eventLines(ownEvents(state))
    case 'all':
      return eventLines(allEvents(state))
  }
}

/** The text that `y` copies: a curl command when the request has one, else the name of the entry. */
export function copyText(state: DashboardState): string | undefined {
  const request = selectedRequest(state)
  if (request && withoutCurl(state) === undefined) return eventCurl(request.event, state.view.facts)
  const n = selectedEntry(state)
  return n === undefined ? undefined : SHOWN[state.pane].value(state.view, n)
}
