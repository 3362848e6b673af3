import { readFile } from 'node:fs/promises'
import type { Site } from '../../protocol/http/site.js'
import { createCloudflareEmulator } from '../../servers/cloudflare/emulator/emulator.js'
import type {
  EmulatorPorts,
  EmulatorSettings,
  PastEvent,
  RequestRate,
} from '../../servers/cloudflare/emulator/settings.js'
import { parseDuration } from '../lab-file/duration.js'
import type { LabFile } from '../schema/lab-file-schema.js'

const eventsFile = new URL('../../../fixtures/security-events.json', import.meta.url)

async function pastEvents(): Promise<readonly PastEvent[]> {
  const { events } = JSON.parse(await readFile(eventsFile, 'utf8')) as { events: readonly PastEvent[] }
  return events
}

function rateOf(text: string | undefined): RequestRate {
  if (text === undefined || text === 'off') return 'off'
  const [attempts, time] = text.split('/')
  return { attempts: Number(attempts), window: parseDuration(time ?? '') ?? 300_000 }
}

function dnsSettings({ dns = {} }: LabFile): EmulatorSettings {
  return {
    key: dns.key ?? '',
    email: dns.email ?? '',
    token: dns.token ?? '',
    tokens: dns.tokens ?? [],
    rate: rateOf(dns.rate_limit),
    zones: (dns.zones ?? []).map(({ id, name, records = [] }) => ({ id, name, records })),
    hostile: dns.hostile === true,
  }
}

/** Zones and events are made at the first request that needs them. */
export function labDns(file: LabFile, ports: Omit<EmulatorPorts, 'pastEvents'>): Site {
  return createCloudflareEmulator(dnsSettings(file), { ...ports, pastEvents })
}
