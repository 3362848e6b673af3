import type { PastEvent } from '../settings.js'

/** An event whose text harms programs that print it unescaped: terminals, spreadsheets, chats and logs. */
export function hostileEvent(zone: string): PastEvent {
  return {
    ago_s: 12,
    ray_id: 'bad0c0ffeebad0c0',
    source: 'waf',
    action: 'simulate',
    rule_id: 'bad0c0ffeebad0c0ffeebad0c0ffee00',
    ip: '203.0.113.66',
    ip_class: 'badHost',
    asn: 64511,
    country: 'XX',
    colo: 'FRA',
    host: `www.${zone}`,
    method: 'GET',
    proto: 'HTTP/1.1',
    scheme: 'https',
    uri: '/?q=<!channel>&r=<https://evil.example|click>\r\nX-Injected: yes\u202egpj.exe',
    ua: '=HYPERLINK("https://evil.example","open")\u001b[2J\u001b]0;owned\u0007\u001b[31m<!here>\u0000',
  }
}
