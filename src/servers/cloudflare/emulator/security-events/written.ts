import type { SecurityEvent } from '../../shapes.js'
import { timestamp } from '../../timestamp.js'
import type { LoggedEvent } from './event-log.js'

/** The kind of every event. */
export const KIND = 'firewall'

/** An event as the REST API writes it. */
export function written({ ray_id, at, event }: LoggedEvent): SecurityEvent {
  const { source, action, rule_id, ip, ip_class, country, colo, host, method, proto, scheme, ua, uri } = event
  return {
    ray_id,
    kind: KIND,
    source,
    action,
    rule_id,
    ip,
    ip_class,
    country,
    colo,
    host,
    method,
    proto,
    scheme,
    ua,
    uri,
    occurred_at: timestamp(at),
    matches: [{ rule_id, source, action, metadata: {} }],
  }
}
