import { aspNet, express } from './servers/application-servers.js'
import type { OtherAnswer } from './servers/other-answer.js'
import { apache, caddy, cloudflare, haproxy, nginx } from './servers/web-servers.js'

// Models of how other servers read Accept-Encoding. The tests hold tables of observed answers, and ask the servers.

/** Returns the coding that each common server, as it is usually configured for text, sends for an offer. */
export function otherServers(lines: readonly string[]): OtherAnswer[] {
  return [
    nginx(lines),
    express(lines),
    aspNet(lines),
    apache(lines),
    caddy(lines),
    haproxy(lines),
    cloudflare(lines),
  ]
}
