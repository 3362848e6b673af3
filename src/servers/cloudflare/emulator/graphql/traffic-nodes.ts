/** Fields of the type `name`, each a scalar. */
const scalars = (names: string): string =>
  names
    .split(' ')
    .map(name => `${name}: string`)
    .join('\n    ')

const ARGUMENTS = '(filter: NodeFilter_InputObject, limit: uint64, orderBy: [NodeOrderBy!])'

const TIMES = 'date datetime datetimeFifteenMinutes datetimeFiveMinutes datetimeHour datetimeMinute'

/** The nodes of a zone about its traffic. A lab has no traffic, so their lists are empty, as for a zone that nobody visits. */
export const ZONE_TRAFFIC: Readonly<Record<string, string>> = {
  httpRequests1mGroups: 'HttpRequestsGroups',
  httpRequests1hGroups: 'HttpRequestsGroups',
  httpRequests1dGroups: 'HttpRequestsGroups',
  httpRequestsAdaptiveGroups: 'HttpRequestsAdaptiveGroups',
  healthCheckEventsAdaptiveGroups: 'HealthCheckEventsAdaptiveGroups',
  healthCheckEventsGroups: 'HealthCheckEventsAdaptiveGroups',
  loadBalancingRequestsAdaptiveGroups: 'LoadBalancingRequestsAdaptiveGroups',
  loadBalancingRequestsAdaptive: 'LoadBalancingRequestsAdaptive',
  logpushHealthAdaptiveGroups: 'LogpushHealthAdaptiveGroups',
}

/** The nodes of an account, which are empty too. */
export const ACCOUNT_TRAFFIC: Readonly<Record<string, string>> = {
  workersInvocationsAdaptive: 'WorkersInvocationsAdaptive',
  logpushHealthAdaptiveGroups: 'LogpushHealthAdaptiveGroups',
}

/** The fields of a type that has these nodes. */
export const trafficFields = (nodes: Readonly<Record<string, string>>): string =>
  Object.entries(nodes)
    .map(([name, type]) => `${name}${ARGUMENTS}: [${type}!]`)
    .join('\n    ')

/** The types of these nodes, with the fields that exporters of metrics select. */
export const TRAFFIC_TYPES = `
  scalar NodeFilter_InputObject
  scalar NodeOrderBy

  type HttpRequestsGroups {
    uniq: HttpUniques
    sum: HttpSums
    avg: HttpAverages
    dimensions: HttpTimes
  }
  type HttpUniques { ${scalars('uniques')} }
  type HttpTimes { ${scalars(TIMES)} }
  type HttpAverages { ${scalars('bytes sampleInterval')} }
  type HttpSums {
    ${scalars('bytes cachedBytes cachedRequests encryptedBytes encryptedRequests pageViews requests threats')}
    browserMap: [BrowserMap!]
    clientHTTPVersionMap: [HttpVersionMap!]
    clientSSLMap: [SslMap!]
    contentTypeMap: [ContentTypeMap!]
    countryMap: [CountryMap!]
    ipClassMap: [IpClassMap!]
    responseStatusMap: [StatusMap!]
    threatPathingMap: [ThreatMap!]
  }
  type BrowserMap { ${scalars('pageViews uaBrowserFamily')} }
  type HttpVersionMap { ${scalars('clientHTTPProtocol requests')} }
  type SslMap { ${scalars('clientSSLProtocol requests')} }
  type ContentTypeMap { ${scalars('bytes requests edgeResponseContentTypeName')} }
  type CountryMap { ${scalars('bytes clientCountryName requests threats')} }
  type IpClassMap { ${scalars('ipType requests')} }
  type StatusMap { ${scalars('edgeResponseStatus requests')} }
  type ThreatMap { ${scalars('requests threatPathingName')} }

  type HttpRequestsAdaptiveGroups {
    count: uint64
    avg: HttpAverages
    sum: HttpAdaptiveSums
    dimensions: HttpAdaptiveDimensions
  }
  type HttpAdaptiveSums { ${scalars('edgeResponseBytes edgeRequestBytes visits')} }
  type HttpAdaptiveDimensions {
    ${scalars(`${TIMES} cacheStatus clientCountryName clientIP clientRequestHTTPHost clientRequestHTTPMethodName`)}
    ${scalars('clientRequestPath clientSSLProtocol coloCode edgeResponseStatus originResponseStatus userAgent')}
  }

  type HealthCheckEventsAdaptiveGroups {
    count: uint64
    dimensions: HealthCheckDimensions
  }
  type HealthCheckDimensions { ${scalars(`${TIMES} fqdn healthStatus originIP region scope healthCheckName failureReason originResponseStatus`)} }

  type LoadBalancingRequestsAdaptiveGroups {
    count: uint64
    dimensions: LoadBalancingDimensions
  }
  type LoadBalancingDimensions {
    ${scalars(`${TIMES} coloCode lbName proxied region selectedOriginName selectedPoolAvgRttMs selectedPoolHealthChecksEnabled`)}
    ${scalars('selectedPoolHealthy selectedPoolId selectedPoolName sessionAffinityStatus steeringPolicy numberOriginsSelected')}
  }
  type LoadBalancingRequestsAdaptive {
    ${scalars('lbName proxied region sampleInterval sessionAffinityStatus steeringPolicy selectedPoolHealthChecksEnabled')}
    ${scalars('selectedPoolHealthy selectedPoolId selectedPoolName selectedPoolAvgRttMs')}
    origins: [LoadBalancingOrigin!]
    pools: [LoadBalancingPool!]
  }
  type LoadBalancingOrigin { ${scalars('originName health ipv4 selected weight')} }
  type LoadBalancingPool { ${scalars('id poolName healthy avgRttMs')} }

  type LogpushHealthAdaptiveGroups {
    count: uint64
    dimensions: LogpushDimensions
  }
  type LogpushDimensions { ${scalars(`${TIMES} destinationType final jobId status`)} }

  type WorkersInvocationsAdaptive {
    sum: WorkersSums
    dimensions: WorkersDimensions
    quantiles: WorkersQuantiles
  }
  type WorkersSums { ${scalars('requests errors duration subrequests')} }
  type WorkersDimensions { ${scalars(`${TIMES} scriptName status`)} }
  type WorkersQuantiles {
    ${scalars('cpuTimeP50 cpuTimeP75 cpuTimeP99 cpuTimeP999 durationP50 durationP75 durationP99 durationP999')}
  }
`
