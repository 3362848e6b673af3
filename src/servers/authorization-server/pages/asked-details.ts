import { type Html, html } from '../../../protocol/http/page.js'
import type {
  AuthorizationDetail,
  AuthorizationDetails,
  DetailSchema,
  DetailTypes,
} from '../../../protocol/oauth/authorization-details.js'
import { isJsonObject } from '../../../protocol/values.js'

/** Names of the common members (RFC 9396 §2.2) as people read them. */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  locations: 'Where',
  actions: 'Actions',
  datatypes: 'Kinds of data',
  identifier: 'Which one',
  privileges: 'Privileges',
}

/** List items that show each detail with all its members: the person allows these, and nothing else (RFC 9396 §3.1). */
export function askedDetails(details: AuthorizationDetails = [], types: DetailTypes = {}): Html {
  return html`${details.map(each => html`<li>${askedDetail(each, types)}</li>\n`)}`
}

function askedDetail({ type, ...members }: AuthorizationDetail, types: DetailTypes): Html {
  const { description, properties } = Object.hasOwn(types, type) ? types[type]! : {}
  return html`${description ?? type}<small><code>${type}</code></small>${membersOf(members, properties)}`
}

function membersOf(
  members: Readonly<Record<string, unknown>>,
  schemas: Readonly<Record<string, DetailSchema>> = {},
): Html {
  const schemaOf = (name: string) => (Object.hasOwn(schemas, name) ? schemas[name] : undefined)
  const rows = Object.entries(members).map(([name, value]) => {
    const schema = schemaOf(name)
    return html`<dt>${label(name, schema)}</dt><dd>${shownValue(value, schema)}</dd>\n`
  })
  return rows.length === 0 ? html`` : html`<dl>\n${rows}</dl>`
}

function label(name: string, schema: DetailSchema | undefined): Html {
  const common = Object.hasOwn(COMMON_NAMES, name) ? COMMON_NAMES[name] : undefined
  return html`<bdi>${schema?.description ?? common ?? name}</bdi>`
}

/** A value in an element of its own, so that text of another writing direction does not reorder the page. */
function shownValue(value: unknown, schema: DetailSchema | undefined): Html {
  if (isJsonObject(value)) return membersOf(value, schema?.properties)
  if (Array.isArray(value)) {
    const items = value.map(
      (each, i) => html`${i === 0 ? undefined : ', '}${shownValue(each, schema?.items)}`,
    )
    return html`${items}`
  }
  return html`<bdi>${typeof value === 'string' ? value : JSON.stringify(value)}</bdi>`
}
