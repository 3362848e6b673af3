import { describe, expect, it } from 'vitest'
import { emulator, zone } from './support.js'

// The queries of lablabs/cloudflare-exporter and ONSdigital/cloudflare_exporter: the fields that they select, and how they
// declare their variables.

const ask = (query: string, variables: object) =>
  emulator().ask('/client/v4/graphql/', { method: 'POST', body: { query, variables } })

const times = { mintime: '2026-06-15T11:00:00Z', maxtime: '2026-06-15T12:00:00Z', limit: 9999 }
const within = 'filter: { datetime_geq: $mintime, datetime_lt: $maxtime }'
const since = 'limit: $limit, filter: { datetime_gt: $mintime }, orderBy: [datetime_ASC]'

describe('a list for a variable', () => {
  const logpush = `viewer { zones(filter: { zoneTag_in: $zoneIDs }) { zoneTag
    logpushHealthAdaptiveGroups(filter: { datetime_geq: $mintime, datetime_lt: $maxtime, status_neq: 200 }, limit: $limit) {
      count dimensions { jobId status destinationType datetime final } } } }`

  it.each(['String!', 'String', 'string!', '[String!]', '[String!]!'])(
    'of the type %s is read',
    async type => {
      const declared = `query ($zoneIDs: ${type}, $limit: Int!, $mintime: Time!, $maxtime: Time!)`
      const answer = await ask(`${declared} { ${logpush} }`, { ...times, zoneIDs: [zone] })
      expect(answer.json()).toEqual({
        data: { viewer: { zones: [{ zoneTag: zone, logpushHealthAdaptiveGroups: [] }] } },
        errors: null,
      })
    },
  )

  it('of another type than its items is refused', async () => {
    const declared = 'query ($zoneIDs: String!, $limit: Int!, $mintime: Time!, $maxtime: Time!)'
    const answer = await ask(`${declared} { ${logpush} }`, { ...times, zoneIDs: [[zone]] })
    expect(answer.status).toBe(400)
  })
})

describe('the queries of exporters', () => {
  it.each(
    Object.entries({
      'ONSdigital, requests': `httpRequests1mGroups(${since}) { sum { countryMap { clientCountryName requests threats bytes } cachedRequests cachedBytes
        clientHTTPVersionMap { clientHTTPProtocol requests } responseStatusMap { edgeResponseStatus requests }
        threatPathingMap { requests threatPathingName } } dimensions { datetime } }`,
      'ONSdigital, health checks': `healthCheckEventsGroups(${since}) { count
        dimensions { failureReason healthCheckName healthStatus region scope originResponseStatus datetime } }`,
      'lablabs, load balancers': `loadBalancingRequestsAdaptiveGroups(${within}, limit: $limit) { count dimensions { region lbName selectedPoolName proxied
        selectedOriginName selectedPoolAvgRttMs selectedPoolHealthy steeringPolicy } }
      loadBalancingRequestsAdaptive(${within}, limit: $limit) { lbName proxied region selectedPoolHealthy selectedPoolId
        selectedPoolName sessionAffinityStatus steeringPolicy selectedPoolAvgRttMs pools { id poolName healthy avgRttMs }
        origins { originName health ipv4 selected } }`,
      'lablabs, data centres': `httpRequestsAdaptiveGroups(limit: $limit, ${within}) { count avg { sampleInterval }
        dimensions { clientRequestHTTPHost coloCode datetime } sum { edgeResponseBytes visits } }`,
    }),
  )('%s: nodes without traffic are empty', async (_, nodes) => {
    const declared = 'query ($zone: String!, $limit: Int!, $mintime: Time!, $maxtime: Time!)'
    const query = `${declared} { viewer { zones(filter: { zoneTag: $zone }) { ${nodes} zoneTag } } }`
    const { data, errors } = (await ask(query, { ...times, zone })).json<{
      data: { viewer: { zones: [Record<string, unknown>] } }
      errors: unknown
    }>()
    expect(errors).toBeNull()
    const { zoneTag, ...lists } = data.viewer.zones[0]
    expect(zoneTag).toBe(zone)
    for (const list of Object.values(lists)) expect(list).toEqual([])
  })

  it('ONSdigital, events: with the statuses of edge and origin', async () => {
    const query = `query ($zone: String!, $limit: Int!, $mintime: Time!) { viewer { zones(filter: { zoneTag: $zone }) {
      firewallEventsAdaptiveGroups(limit: $limit, filter: { datetime_gt: $mintime, action_neq: "log" }, orderBy: [datetime_ASC]) {
        count dimensions { action datetime edgeResponseStatus originResponseStatus ruleId source } } zoneTag } } }`
    const { data } = (await ask(query, { ...times, zone })).json<{
      data: {
        viewer: { zones: [{ firewallEventsAdaptiveGroups: { dimensions: Record<string, unknown> }[] }] }
      }
    }>()
    const groups = data.viewer.zones[0].firewallEventsAdaptiveGroups.map(each => each.dimensions)
    expect(groups.length).toBeGreaterThan(0)
    for (const { action, edgeResponseStatus, originResponseStatus } of groups) {
      expect(action).not.toBe('log')
      if (action === 'block') expect([edgeResponseStatus, originResponseStatus]).toEqual([403, 0])
    }
  })
})
